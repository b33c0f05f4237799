// The first Lua that a state runs: it takes away what is not for scripts, and gives them `dunnock`, `print` and `args`.
// Whatever it keeps for itself is a local, so that nothing that a script changes afterwards reaches it.

/** Reads the globals `__ask`, `__say`, `__script` and `__args`, removes them, and runs the script. */
export const PRELUDE = `
local ask, say, script, given = __ask, __say, __script, __args
__ask, __say, __script, __args = nil, nil, nil, nil
local load, pcall, tostring, select, error, type = load, pcall, tostring, select, error, type
local concat, setmetatable = table.concat, setmetatable
for _, name in ipairs({ 'load', 'loadfile', 'dofile', 'loadstring', 'require', 'package', 'collectgarbage', 'warn',
    'debug', 'io', 'os' }) do
  _G[name] = nil
end
string.dump = nil

function print(...)
  local parts = {}
  for i = 1, select('#', ...) do parts[i] = tostring((select(i, ...))) end
  say(concat(parts, '\\t'))
end

local function try(name, arguments)
  if type(name) ~= 'string' then error('the name of an operation is a text', 3) end
  if arguments ~= nil and type(arguments) ~= 'table' then error('the arguments of a call are one table', 3) end
  local told = ask(name, arguments or {})
  if told.ok then return told.answer end
  return nil, told.sentence, told.code
end

local function call(name, arguments)
  local answer, sentence = try(name, arguments)
  if sentence then error(sentence, 0) end
  return answer
end

dunnock = setmetatable({
  try = function(name, arguments) return try(name, arguments) end,
  call = function(name, arguments) return (call(name, arguments)) end,
}, {
  __index = function(_, name) return function(arguments) return (call(name, arguments)) end end,
  __metatable = false,
})
args = given

local chunk, fault = load(script, '=script', 't')
if not chunk then return { ok = false, fault = fault } end
local ok, result = pcall(chunk, given)
if ok then return { ok = true, result = result } end
return { ok = false, fault = tostring(result) }
`;
