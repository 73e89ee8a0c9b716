// SPDX-License-Identifier: GPL-3.0-or-later
// The official OpenAI SDK against a gateway. Usage: node client.mjs '{"url", "locked", "token", "simulator"}'
// Prints a report: [{"name", "problem"}]; an empty problem is a pass. tests/app/tst_openai_js.cpp starts it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import path from 'node:path';

const settings = JSON.parse(process.argv[2]);
const modules = createRequire(pathToFileURL(path.join(settings.modules, 'package.json')));
const sdk = modules('openai');
const { OpenAI } = sdk;

// Every answer that the SDK was given, in order, with its time.
let seen = [];
async function watchingFetch(url, init) {
    const answer = await fetch(url, init);
    seen.push({ at: performance.now(), status: answer.status, headers: answer.headers });
    return answer;
}
const clientOf = (options) =>
    new OpenAI({ baseURL: settings.url, apiKey: 'sk-test-0001', maxRetries: 0, timeout: 15000, fetch: watchingFetch, ...options });
const client = clientOf({});

const ask = (model, content, more = {}) => ({ model, messages: [{ role: 'user', content }], ...more });
const tools = [{
    type: 'function',
    function: {
        name: 'weather',
        description: 'The weather of a place',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
}];
const stats = async (endpoint) => (await (await fetch(settings.simulator + '/stats')).json()).endpoints[endpoint];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function fails(promise, kind) {
    try {
        await promise;
    } catch (error) {
        assert.ok(error instanceof kind, `${error?.constructor?.name} instead of ${kind.name}: ${error?.message}`);
        return error;
    }
    assert.fail(`no ${kind.name}`);
}
async function leaves(endpoint, leave) {
    const before = (await stats(endpoint)).client_gone;
    await leave();
    const left = performance.now();
    for (;;) {
        if ((await stats(endpoint)).client_gone > before)
            return performance.now() - left;
        assert.ok(performance.now() - left < 2000, 'the provider was not told that the client left');
        await pause(5);
    }
}

const text = 'Grüße ✓ "quoted" \\ and 𝄞 beyond';
const checks = {
    async 'whole'() {
        const answer = await client.chat.completions.create(ask('steady', text));
        assert.match(answer.choices[0].message.content, /^steady#\d+ /);
        assert.equal(answer.choices[0].message.content.replace(/^steady#\d+ /, ''), text);
        assert.equal(answer.choices[0].message.role, 'assistant');
        assert.equal(answer.choices[0].finish_reason, 'stop');
        assert.equal(answer.object, 'chat.completion');
        assert.ok(answer.id && answer.model && answer.created > 1.7e9);
        assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
        assert.ok(answer.usage.completion_tokens > 5);
    },
    async 'max_tokens cuts and says so'() {
        const answer = await client.chat.completions.create(ask('steady', 'one two three four five', { max_tokens: 2 }));
        assert.equal(answer.choices[0].finish_reason, 'length');
        assert.equal(answer.usage.completion_tokens, 2);
    },
    async 'streamed'() {
        let said = '', chunks = 0, finish = null;
        const ids = new Set();
        for await (const chunk of await client.chat.completions.create(ask('steady', text, { stream: true }))) {
            assert.equal(chunk.object, 'chat.completion.chunk');
            assert.ok(!chunk.usage, 'usage that nobody asked for');
            ids.add(chunk.id);
            said += chunk.choices[0]?.delta?.content ?? '';
            chunks += chunk.choices[0]?.delta?.content ? 1 : 0;
            finish = chunk.choices[0]?.finish_reason ?? finish;
        }
        assert.equal(said.replace(/^steady#\d+ /, ''), text);
        assert.ok(chunks > 3, `${chunks} pieces`);
        assert.equal(finish, 'stop');
        assert.equal(ids.size, 1);
    },
    async 'streamed, with usage'() {
        const all = [];
        const body = ask('steady', text, { stream: true, stream_options: { include_usage: true } });
        for await (const chunk of await client.chat.completions.create(body))
            all.push(chunk);
        const last = all.at(-1);
        assert.deepEqual(last.choices, []);
        assert.equal(last.usage.total_tokens, last.usage.prompt_tokens + last.usage.completion_tokens);
        assert.equal(all.filter((chunk) => chunk.usage).length, 1);
    },
    async 'the SDK\'s own stream helper'() {
        const stream = client.chat.completions.stream(ask('steady', text));
        const pieces = [];
        stream.on('content', (delta) => pieces.push(delta));
        const answer = await stream.finalChatCompletion();
        assert.equal(pieces.join(''), answer.choices[0].message.content);
        assert.equal(answer.choices[0].message.content.replace(/^steady#\d+ /, ''), text);
    },
    async 'tool call, whole'() {
        const answer = await client.chat.completions.create(ask('steady', 'weather?', { tools, tool_choice: 'auto' }));
        assert.equal(answer.choices[0].finish_reason, 'tool_calls');
        assert.equal(answer.choices[0].message.content, null);
        const [call] = answer.choices[0].message.tool_calls;
        assert.equal(call.type, 'function');
        assert.equal(call.function.name, 'weather');
        assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Tromsø', days: 3 });
        const next = [{ role: 'user', content: 'weather?' }, answer.choices[0].message,
            { role: 'tool', tool_call_id: call.id, content: '{"c": -3}' }];
        const end = await client.chat.completions.create({ model: 'steady', messages: next });
        assert.match(end.choices[0].message.content, /\{"c": -3\}$/);
    },
    async 'tool call, streamed'() {
        let name = '', id = '', args = '', pieces = 0, finish = null;
        for await (const chunk of await client.chat.completions.create(ask('steady', 'weather?', { tools, stream: true }))) {
            for (const call of chunk.choices[0]?.delta?.tool_calls ?? []) {
                assert.equal(call.index, 0);
                name += call.function?.name ?? '';
                id += call.id ?? '';
                args += call.function?.arguments ?? '';
                pieces += call.function?.arguments ? 1 : 0;
            }
            finish = chunk.choices[0]?.finish_reason ?? finish;
        }
        assert.equal(name, 'weather');
        assert.ok(id);
        assert.ok(pieces > 1, 'the arguments came in one piece');
        assert.deepEqual(JSON.parse(args), { city: 'Tromsø', days: 3 });
        assert.equal(finish, 'tool_calls');
    },
    async 'tool call through the stream helper'() {
        const answer = await client.chat.completions.stream(ask('steady', 'weather?', { tools })).finalChatCompletion();
        assert.equal(answer.choices[0].message.tool_calls[0].function.name, 'weather');
    },
    async 'abort in the middle of a stream reaches the provider'() {
        const ms = await leaves('slow', async () => {
            const stop = new AbortController();
            let chunks = 0;
            const stream = await client.chat.completions.create(ask('slow', 'go on', { stream: true }), { signal: stop.signal });
            for await (const chunk of stream) {
                if (chunk.choices[0]?.delta?.content && ++chunks === 3)
                    stop.abort();
            }
            assert.equal(chunks, 3);
        });
        assert.ok(ms < 1000, `after ${ms} ms`);
    },
    async 'break out of a stream reaches the provider'() {
        await leaves('slow', async () => {
            for await (const chunk of await client.chat.completions.create(ask('slow', 'go on', { stream: true })))
                if (chunk.choices[0]?.delta?.content)
                    break;
        });
    },
    async 'abort of a whole answer reaches the provider'() {
        await leaves('silent', async () => {
            const stop = new AbortController();
            setTimeout(() => stop.abort(), 200);
            await fails(client.chat.completions.create(ask('silent', 'go on'), { signal: stop.signal }), sdk.APIUserAbortError);
        });
    },
    async 'BadRequestError'() {
        for (const messages of [undefined, 'text', [], [{ content: 'no role' }]]) {
            const error = await fails(client.chat.completions.create({ model: 'steady', messages }), sdk.BadRequestError);
            assert.equal(error.status, 400);
            assert.equal(error.type, 'invalid_request_error');
            assert.ok(error.message.length > 10);
            assert.ok(error.requestID, 'no request id');
        }
        const error = await fails(client.chat.completions.create(ask('steady', 'x', { temperature: 'hot' })), sdk.BadRequestError);
        assert.equal(error.param, 'temperature');
    },
    async 'BadRequestError of the provider'() {
        const error = await fails(client.chat.completions.create(ask('refusing', 'x')), sdk.BadRequestError);
        assert.equal(error.code, 'context_length_exceeded');
    },
    async 'AuthenticationError'() {
        for (const apiKey of ['sk-wrong', settings.token + 'x', settings.token.slice(1)]) {
            const locked = clientOf({ baseURL: settings.locked, apiKey });
            const error = await fails(locked.chat.completions.create(ask('steady', 'x')), sdk.AuthenticationError);
            assert.equal(error.status, 401);
            assert.ok(!error.message.includes(apiKey), 'the message tells the token');
        }
        const open = clientOf({ baseURL: settings.locked, apiKey: settings.token });
        assert.ok((await open.chat.completions.create(ask('steady', 'x'))).id);
    },
    async 'NotFoundError'() {
        const error = await fails(client.chat.completions.create(ask('no-such-model', 'x')), sdk.NotFoundError);
        assert.equal(error.code, 'model_not_found');
        assert.match(error.message, /no-such-model/);
        await fails(client.get('/nothing/here'), sdk.NotFoundError);
        await fails(client.models.retrieve('no-such-model'), sdk.NotFoundError);
    },
    async 'RateLimitError'() {
        await fetch(settings.simulator + '/reset', { method: 'POST' });
        const error = await fails(client.chat.completions.create(ask('limited', 'x')), sdk.RateLimitError);
        assert.equal(error.status, 429);
        const seconds = Number(error.headers.get('retry-after')), ms = Number(error.headers.get('retry-after-ms'));
        assert.ok(ms > 0 && ms <= 30000, `retry-after-ms ${ms}`);
        assert.ok(Math.abs(seconds - Math.ceil(ms / 1000)) <= 1, `retry-after ${seconds} beside ${ms} ms`);
    },
    async 'InternalServerError'() {
        const error = await fails(client.chat.completions.create(ask('broken', 'x')), sdk.InternalServerError);
        assert.ok(error.status >= 500);
        assert.ok(error.message.length > 10);
        await fails(client.chat.completions.create(ask('broken', 'x', { stream: true })), sdk.InternalServerError);
    },
    async 'APIConnectionTimeoutError'() {
        await leaves('silent', () =>
            fails(client.chat.completions.create(ask('silent', 'x'), { timeout: 300 }), sdk.APIConnectionTimeoutError));
    },
    async 'a stream that is cut off is an error, not an end'() {
        let said = '';
        const reading = (async () => {
            for await (const chunk of await client.chat.completions.create(ask('cut', 'a b c d e f g h', { stream: true })))
                said += chunk.choices[0]?.delta?.content ?? '';
        })();
        await fails(reading, sdk.APIError);
        assert.match(said, /^cut#\d+ a b/);
    },
    async 'the server\'s wait is kept when it asks again'() {
        await fetch(settings.simulator + '/reset', { method: 'POST' });
        seen = [];
        const answer = await client.chat.completions.create(ask('recovering', 'x'), { maxRetries: 2 });
        assert.match(answer.choices[0].message.content, /^recovering#/);
        const statuses = seen.map((one) => one.status);
        assert.deepEqual(statuses, [429, 200]);
        const wanted = Number(seen[0].headers.get('retry-after-ms') ?? 1000 * Number(seen[0].headers.get('retry-after')));
        assert.ok(wanted >= 1000, `a wait of ${wanted} ms was told`);
        const waited = seen[1].at - seen[0].at;
        assert.ok(waited >= wanted - 5 && waited < wanted + 1500, `told ${wanted} ms, waited ${waited}`);
    },
    async 'what cannot help is not asked again'() {
        seen = [];
        await fails(client.chat.completions.create(ask('no-such-model', 'x'), { maxRetries: 2 }), sdk.NotFoundError);
        await fails(client.chat.completions.create({ model: 'steady' }, { maxRetries: 2 }), sdk.BadRequestError);
        assert.equal(seen.length, 2);
    },
    async 'a failure that the gateway has already retried is left to its word'() {
        seen = [];
        await fails(client.chat.completions.create(ask('broken', 'x'), { maxRetries: 1 }), sdk.InternalServerError);
        assert.equal(seen.length, seen[0].headers.get('x-should-retry') === 'false' ? 1 : 2);
    },
    async 'models'() {
        const names = [];
        for await (const model of client.models.list()) {
            assert.equal(model.object, 'model');
            names.push(model.id);
        }
        assert.ok(names.includes('steady') && names.includes('limited'), names.join(' '));
        assert.equal((await client.models.retrieve('steady')).id, 'steady');
    },
    async 'embeddings'() {
        const input = ['one', 'two', 'one'];
        const packed = await client.embeddings.create({ model: 'steady', input });
        const plain = await client.embeddings.create({ model: 'steady', input, encoding_format: 'float' });
        assert.equal(packed.data.length, 3);
        assert.equal(packed.data[1].embedding.length, 8);
        for (let i = 0; i < 3; ++i)
            for (let j = 0; j < 8; ++j)
                assert.ok(Math.abs(packed.data[i].embedding[j] - plain.data[i].embedding[j]) < 1e-6);
        assert.deepEqual(plain.data[0].embedding, plain.data[2].embedding);
        assert.ok(plain.usage.total_tokens > 0);
        await fails(client.embeddings.create({ model: 'steady' }), sdk.BadRequestError);
    },
    async 'headers tell the way'() {
        const { data, response, request_id: id } = await client.chat.completions.create(ask('steady', 'x')).withResponse();
        assert.ok(data.choices[0].message.content);
        const header = (name) => response.headers.get(name);
        assert.equal(header('x-switchgear-chain'), 'steady');
        assert.equal(header('x-switchgear-endpoint'), 'steady');
        assert.equal(header('x-switchgear-attempts'), '1');
        assert.ok(Number(header('x-switchgear-waited-ms')) >= 0);
        assert.ok(['miss', 'none'].includes(header('x-switchgear-cache')), header('x-switchgear-cache'));
        assert.ok(id && id === header('x-request-id'));
        assert.match(header('content-type'), /^application\/json/);
        const raw = await client.chat.completions.create(ask('steady', 'x', { stream: true })).asResponse();
        assert.match(raw.headers.get('content-type'), /^text\/event-stream/);
        assert.equal(raw.headers.get('x-switchgear-chain'), 'steady');
        assert.match(await raw.text(), /data: \[DONE\]\n\n$/);
    },
    async 'a cached answer is the same, whole and streamed'() {
        const first = await client.chat.completions.create(ask('cached', 'the same')).withResponse();
        const again = await client.chat.completions.create(ask('cached', 'the same')).withResponse();
        assert.equal(again.response.headers.get('x-switchgear-cache'), 'hit');
        assert.equal(again.data.choices[0].message.content, first.data.choices[0].message.content);
        const streamed = await client.chat.completions.stream(ask('cached', 'the same')).finalChatCompletion();
        assert.equal(streamed.choices[0].message.content, first.data.choices[0].message.content);
    },
    async 'the second tier answers when the first is broken'() {
        const { data, response } = await client.chat.completions.create(ask('two-tiers', 'x')).withResponse();
        assert.match(data.choices[0].message.content, /^steady#/);
        assert.equal(response.headers.get('x-switchgear-endpoint'), 'steady');
        assert.ok(Number(response.headers.get('x-switchgear-attempts')) >= 1);
    },
    async 'forty at once'() {
        const answers = await Promise.all(Array.from({ length: 40 }, (_, i) =>
            i % 2 ? client.chat.completions.create(ask('steady', `number ${i}`)).then((a) => a.choices[0].message.content)
                : client.chat.completions.stream(ask('steady', `number ${i}`)).finalContent()));
        answers.forEach((answer, i) => assert.match(answer, new RegExp(` number ${i}$`)));
        assert.equal(new Set(answers.map((answer) => answer.split(' ')[0])).size, 40);
    },
};

const report = [];
for (const [name, check] of Object.entries(checks)) {
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('it did not end')), 10000); });
    try {
        await Promise.race([check(), late]);
        report.push({ name, problem: '' });
    } catch (error) {
        report.push({ name, problem: String(error?.stack ?? error).split('\n').slice(0, 6).join('\n') || 'failed' });
    } finally {
        clearTimeout(timer);
    }
}
console.log(JSON.stringify(report));
