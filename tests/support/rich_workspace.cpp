// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rich_workspace.h"

namespace sg::test {

namespace {

QByteArray file(const QByteArray& endpoints, const QByteArray& chains, const QByteArray& more)
{
    return R"({"version":2,"name":"w","endpoints":[)" + endpoints + R"(],"chains":[)" + chains + ']' + more + '}';
}

} // namespace

QByteArray richWorkspace()
{
    return file(
        R"({"name":"a","provider":"openai","base_url":"https://a.example/v1","model":"m","quota_group":"q","credential":"k",
                "key":{"source":"environment","name":"A_KEY"},
                "timeouts":{"connect_ms":1000,"first_byte_ms":2000.5,"first_token_ms":2500,"idle_ms":3000,"total_ms":4000,
                    "by_task":{"base_ms":3500,"per_100_tokens_ms":1500.5,"floor_ms":0},
                    "min_tokens_per_s":2.5,"min_tokens_window_ms":1500,"abort_slow_streams":true},
                "capabilities":{"tools":false,"images":false,"json_mode":false,"context_window":8192},
                "limits":{"requests_per_minute":60,"tokens_per_minute":90000,"max_in_flight":7},
                "breaker":{"consecutive_failures":5,"failure_rate":0.5,"rate_limited_share":0.25,"slow_rate":0.75,"slow_call_ms":900,
                    "minimum_calls":4,"window":{"type":"time","window_ms":30000,"bucket_ms":500},"rate_limited_counts_as":"share",
                    "open_ms":1000,"open_multiplier":2,"max_open_ms":9000,"open_jitter":0.1,"call_timeout_ms":8000,
                    "half_open_max_probes":2,"half_open_successes":3,"half_open_deadline_ms":7000,"metrics_only":true},
                "price":{"input":2,"output":8,"cached_input":0.5,"cache_write":2.5,"cache_write_1h":4,"reasoning":9,
                    "audio_input":3,"audio_output":4,"tiers":[{"above_input_tokens":128000,"input":4},
                    {"above_input_tokens":200000,"input":6,"output":12,"cached_input":1,"cache_write":2,
                    "cache_write_1h":3,"reasoning":4,"audio_input":5,"audio_output":7}]},
                "proxy":"socks5://10.0.0.1:1080","proxy_key":{"source":"keychain","name":"proxy"},"ca_file":"/etc/ssl/own.pem","http_version":"2"},
               {"name":"b","provider":"openai","model":"m","breaker":"s4","timeouts":{"connect_ms":1,"total_ms":2},
                "key":{"source":"none"},"capabilities":{"tools":true,"images":true,"json_mode":true}})",
        R"({"name":"c","deadline_ms":9000,"attempt_budget":4,"max_server_wait_ms":5000,
                "limiter":{"rate_per_second":5,"burst":9,"max_wait_ms":100,"window_limit":50,"window_ms":6000},
                "router":{"classes":[{"name":"complex","words":["design","ออกแบบ"],"at_least":2,"counts_earlier":true,
                    "tier":"t"},{"name":"rest","words":[],"at_least":1,"counts_earlier":false,"tier":"r"}]},
                "caller":{"waits_ms":8000,"retries":2,"pays_usd":0.0125},
                "cache":{"max_entries":10,"max_bytes":2048,"ttl_ms":1000},
                "tiers":[{"name":"t","kind":"endpoint","enabled":false,"endpoint":"a","max_attempts":3,"attempt_timeout_ms":2600,
                    "moves_on":{"rate_limited":false,"server_error":false,"timeout":false,"open_breaker":false,
                        "context_too_long":false,"content_policy":true},"split":"s","weight":0.25,
                    "backoff":{"kind":"fixed","base_ms":10,"multiplier":3,"cap_ms":20,"jitter":{"type":"additive","a_ms":5}}},
                  {"name":"r","kind":"canned_reply","enabled":true,"rules":[{"words":["bug","fehler ü"],"reply":"ไทย"}]},
                  {"name":"was a call","kind":"canned_reply","enabled":true,"rules":[{"words":["x"],"reply":"x"}],"endpoint":"a",
                    "max_attempts":3,"attempt_timeout_ms":1000,
                    "backoff":{"kind":"fixed","base_ms":10,"multiplier":3,"cap_ms":20,"jitter":{"type":"full"}}},
                  {"name":"named","kind":"endpoint","enabled":true,"endpoint":"b","max_attempts":1,"backoff":"s2-full-jitter"}]},
                {"name":"d","deadline_ms":9000,"attempt_budget":4,"max_server_wait_ms":5000,"limiter":"ours","tiers":
                    [{"name":"r","kind":"canned_reply","enabled":true,"rules":[{"words":[],"reply":"x"}]}]})",
        R"(,"policies":{"limiters":{"ours":{"rate_per_second":5,"burst":9,"max_wait_ms":100,"window_ms":6000}},
                "backoffs":{"quick":{"kind":"fixed","base_ms":10,"multiplier":3,"cap_ms":20,"jitter":{"type":"proportional","r":0.25}}},
                "breakers":{"b1":{"consecutive_failures":5,"minimum_calls":4,"window":{"type":"count","size":9},
                    "rate_limited_counts_as":"share","open_ms":1000,"open_multiplier":2,"max_open_ms":9000,"open_jitter":0,
                    "half_open_max_probes":2,"half_open_successes":3,"metrics_only":false}}},"environment":"staging",
            "gateway":{"address":"0.0.0.0","port":9000,"token":{"source":"keychain","name":"gateway"},
                "hosts":["desk.example","10.0.0.5"],"origins":["https://desk.example:8443"],"begin_after_ms":2500.5,
                "keep_alive_ms":5000,"drain_ms":20000,"max_in_flight":64,"max_queued":7,"max_queue_wait_ms":1500},
            "simulator":{"version":1,"endpoints":[{"name":"x"}]},
            "providers":[{"id":"house","title":"House","extends":"groq","dialect":"openai","base_url":"https://llm.house.example/v1",
                "key_header":"X-Key","key_scheme":"","key_prefixes":["hg_"],"key_variable":"HOUSE","needs_key":true,
                "headers":{"X-Team":"blue"},"chat_path":"chat","models_path":"","api_version":"1","quirks":{"max_tokens_field":"max_tokens",
                "stream_usage":false,"json_mode":false,"short_call_ids":true,"developer_role":true}}])");
}

} // namespace sg::test
