# SPDX-License-Identifier: GPL-3.0-or-later
"""The official OpenAI SDK against a gateway. Usage: python3 client.py '{"url", "locked", "token", "simulator"}'

Prints a report: [{"name", "problem"}]; an empty problem is a pass. tests/app/tst_openai_python.cpp starts it.
"""
import asyncio
import json
import re
import sys
import time
import traceback
import urllib.request

import openai

settings = json.loads(sys.argv[-1])
TEXT = 'Grüße ✓ "quoted" \\ and 𝄞 beyond'
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}}}}]


def client_of(**options):
    return openai.OpenAI(**{"base_url": settings["url"], "api_key": "sk-test-0001", "max_retries": 0,
                            "timeout": 15, **options})


client = client_of()


def ask(model, content, **more):
    return {"model": model, "messages": [{"role": "user", "content": content}], **more}


def client_gone(endpoint):
    with urllib.request.urlopen(settings["simulator"] + "/stats") as answer:
        return json.load(answer)["endpoints"][endpoint]["client_gone"]


def reset():
    urllib.request.urlopen(urllib.request.Request(settings["simulator"] + "/reset", data=b"")).read()


def fails(kind, call):
    try:
        call()
    except openai.OpenAIError as error:
        assert isinstance(error, kind), f"{type(error).__name__} instead of {kind.__name__}: {error}"
        return error
    raise AssertionError(f"no {kind.__name__}")


def until_gone(endpoint, before):
    start = time.monotonic()
    while client_gone(endpoint) <= before:
        assert time.monotonic() - start < 2, "the provider was not told that the client left"
        time.sleep(0.005)


def rest(content):
    return re.sub(r"^\w+#\d+ ", "", content)


def whole():
    answer = client.chat.completions.create(**ask("steady", TEXT))
    assert rest(answer.choices[0].message.content) == TEXT
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


def streamed():
    chunks = list(client.chat.completions.create(**ask("steady", TEXT, stream=True)))
    pieces = [c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content]
    assert rest("".join(pieces)) == TEXT and len(pieces) > 3
    assert all(c.usage is None for c in chunks)


def streamed_with_usage():
    chunks = list(client.chat.completions.create(
        **ask("steady", TEXT, stream=True, stream_options={"include_usage": True})))
    assert chunks[-1].choices == [] and chunks[-1].usage.total_tokens > 0


def tool_call_whole():
    answer = client.chat.completions.create(**ask("steady", "weather?", tools=TOOLS))
    call = answer.choices[0].message.tool_calls[0]
    assert answer.choices[0].finish_reason == "tool_calls"
    assert (call.function.name, json.loads(call.function.arguments)) == ("weather", {"city": "Tromsø", "days": 3})


def tool_call_streamed():
    name, arguments = "", ""
    for chunk in client.chat.completions.create(**ask("steady", "weather?", tools=TOOLS, stream=True)):
        for call in (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []:
            name += call.function.name or ""
            arguments += call.function.arguments or ""
    assert (name, json.loads(arguments)) == ("weather", {"city": "Tromsø", "days": 3})


def leaving_a_stream_reaches_the_provider():
    before = client_gone("slow")
    with client.chat.completions.create(**ask("slow", "go on", stream=True)) as stream:
        for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                break
    until_gone("slow", before)


def cancelling_a_task_reaches_the_provider():
    before = client_gone("silent")

    async def cancelled():
        async with openai.AsyncOpenAI(base_url=settings["url"], api_key="sk-test-0001", max_retries=0) as other:
            task = asyncio.create_task(other.chat.completions.create(**ask("silent", "x")))
            await asyncio.sleep(0.2)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return
            raise AssertionError("it was not cancelled")

    asyncio.run(cancelled())
    until_gone("silent", before)


def bad_request_error():
    error = fails(openai.BadRequestError, lambda: client.chat.completions.create(model="steady", messages=[]))
    assert error.status_code == 400 and error.type == "invalid_request_error" and error.request_id
    error = fails(openai.BadRequestError, lambda: client.chat.completions.create(**ask("refusing", "x")))
    assert error.code == "context_length_exceeded"


def authentication_error():
    locked = client_of(base_url=settings["locked"], api_key="sk-wrong")
    error = fails(openai.AuthenticationError, lambda: locked.chat.completions.create(**ask("steady", "x")))
    assert error.status_code == 401
    opened = client_of(base_url=settings["locked"], api_key=settings["token"])
    assert opened.chat.completions.create(**ask("steady", "x")).id


def not_found_error():
    error = fails(openai.NotFoundError, lambda: client.chat.completions.create(**ask("no-such-model", "x")))
    assert error.code == "model_not_found"


def rate_limit_error():
    error = fails(openai.RateLimitError, lambda: client.chat.completions.create(**ask("limited", "x")))
    assert float(error.response.headers["retry-after-ms"]) > 0 and float(error.response.headers["retry-after"]) > 0


def internal_server_error():
    error = fails(openai.InternalServerError, lambda: client.chat.completions.create(**ask("broken", "x")))
    assert error.status_code >= 500


def api_timeout_error():
    before = client_gone("silent")
    fails(openai.APITimeoutError, lambda: client.with_options(timeout=0.3).chat.completions.create(**ask("silent", "x")))
    until_gone("silent", before)


def a_stream_that_is_cut_off_is_an_error():
    fails(openai.APIError, lambda: list(client.chat.completions.create(**ask("cut", "a b c d e f g h", stream=True))))


def the_servers_wait_is_kept():
    reset()
    start = time.monotonic()
    answer = client.with_options(max_retries=2).chat.completions.create(**ask("recovering", "x"))
    waited = time.monotonic() - start
    assert answer.choices[0].message.content.startswith("recovering#")
    assert 1.1 < waited < 3, f"waited {waited} s"


def models():
    names = [model.id for model in client.models.list()]
    assert "steady" in names and client.models.retrieve("steady").id == "steady"


def embeddings():
    packed = client.embeddings.create(model="steady", input=["one", "two", "one"])
    plain = client.embeddings.create(model="steady", input=["one"], encoding_format="float")
    assert len(packed.data) == 3 and len(packed.data[0].embedding) == 8
    assert all(abs(a - b) < 1e-6 for a, b in zip(packed.data[0].embedding, plain.data[0].embedding))


def headers_tell_the_way():
    raw = client.chat.completions.with_raw_response.create(**ask("steady", "x"))
    assert raw.headers["x-switchgear-chain"] == "steady" and raw.headers["x-switchgear-endpoint"] == "steady"
    assert raw.parse().choices[0].message.content


def forty_at_once():
    async def all_of_them():
        async with openai.AsyncOpenAI(base_url=settings["url"], api_key="sk-test-0001", max_retries=0) as other:
            return await asyncio.gather(*[other.chat.completions.create(**ask("steady", f"number {i}"))
                                          for i in range(40)])

    answers = [answer.choices[0].message.content for answer in asyncio.run(all_of_them())]
    assert [rest(answer) for answer in answers] == [f"number {i}" for i in range(40)]
    assert len({answer.split(" ")[0] for answer in answers}) == 40


CHECKS = [whole, streamed, streamed_with_usage, tool_call_whole, tool_call_streamed,
          leaving_a_stream_reaches_the_provider, cancelling_a_task_reaches_the_provider, bad_request_error,
          authentication_error, not_found_error, rate_limit_error, internal_server_error, api_timeout_error,
          a_stream_that_is_cut_off_is_an_error, the_servers_wait_is_kept, models, embeddings, headers_tell_the_way,
          forty_at_once]
report = []
for check in CHECKS:
    try:
        check()
        problem = ""
    except Exception:
        problem = traceback.format_exc()[-1500:] or "failed"
    report.append({"name": check.__name__.replace("_", " "), "problem": problem})
print(json.dumps(report))
