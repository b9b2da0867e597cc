-- Run by wrk (wrk.ts): makes calls of many paths and bearer tokens in turn, and prints the counts as JSON.

local requests = {}
local turn = 0

function init(args)
  local method, calls, body = args[1], args[2], args[3]
  for line in io.lines(calls) do
    local path, token = line:match("^(%S+) (%S+)$")
    local headers = { ["Authorization"] = "Bearer " .. token }
    if body ~= "" then headers["Content-Type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary)
  local errors = summary.errors
  print(string.format(
    '{"responses":%d,"microseconds":%d,"refused":%d,"failed":%d}',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
