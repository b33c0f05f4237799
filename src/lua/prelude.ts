// The first Lua that a state runs: it removes what scripts may not use, and adds `dunnock`, `print` and `args`. What
// it keeps for itself is local, so a script can’t change it later.

/** Before the first of every list that is handed to a script, and before nothing else. */
export const LIST_MARK = '\u0001list';

/** Levels that a table may be nested: what walks it is recursive. */
const DEEPEST = 64;

/**
 * Reads the globals `__ask`, `__say`, `__script`, `__args` and `__mark`, removes them, and runs the script. What a script hands
 * over crosses as JSON that is written here, because a text of Lua is bytes: it may hold a NUL, and be no UTF-8.
 */
export const PRELUDE = `
local ask, say, script, given, mark = __ask, __say, __script, __args, __mark
__ask, __say, __script, __args, __mark = nil, nil, nil, nil, nil
local load, pcall, tostring, select, error, type, next, rawget = load, pcall, tostring, select, error, type, next, rawget
local concat, setmetatable, move = table.concat, setmetatable, table.move
local sub, gsub, format, byte, kind, ulen = string.sub, string.gsub, string.format, string.byte, math.type, utf8.len
local NESTED = 'a table of a call is nested deeper than ${DEEPEST} levels'
local BYTES = 'a call’s text isn’t UTF-8: pass text, or its bytes as hex'

-- As text: what is no UTF-8 becomes the sign for that.
local function clean(text)
  if ulen(text) then return text end
  local parts, at = {}, 1
  while at <= #text do
    local good, bad = ulen(text, at)
    if good then parts[#parts + 1] = sub(text, at) break end
    parts[#parts + 1] = sub(text, at, bad - 1) .. '\u{FFFD}'
    at = bad + 1
  end
  return concat(parts)
end
local function shown(text) return (gsub(clean(text), '%z', '\u{FFFD}')) end

local function quoted(text)
  return '"' .. gsub(text, '[%c"\\\\]', function(c) return format('\\\\u%04x', byte(c)) end) .. '"'
end

-- A table whose keys are exactly 1 to n is a list, in whatever order it was filled, and so is one that was handed over as a list
-- or made by dunnock.list; functions and the like are left out.
local lists = setmetatable({}, { __mode = 'k' })
local function json(value, strict, levels)
  local is = type(value)
  if is == 'string' then
    if strict and not ulen(value) then error(BYTES, 0) end
    return quoted(clean(value))
  end
  if is == 'boolean' then return tostring(value) end
  if is == 'number' then
    if value ~= value or value == 1 / 0 or value == -1 / 0 then return 'null' end
    return kind(value) == 'integer' and format('%d', value) or format('%.17g', value)
  end
  if is ~= 'table' then return nil end
  if levels == 0 then error(NESTED, 0) end
  local count, list = 0, true
  for key in next, value do
    count = count + 1
    if kind(key) ~= 'integer' or key < 1 then list = false end
  end
  if list and count > 0 then for at = 1, count do if rawget(value, at) == nil then list = false break end end end
  local parts = {}
  if list and (count > 0 or lists[value]) then
    for at = 1, count do parts[at] = json(rawget(value, at), strict, levels - 1) or 'null' end
    return '[' .. concat(parts, ',') .. ']'
  end
  for key, each in next, value do
    if type(key) == 'string' or type(key) == 'number' then
      local said = json(each, strict, levels - 1)
      if said then parts[#parts + 1] = json(tostring(key), strict, 1) .. ':' .. said end
    end
  end
  return '{' .. concat(parts, ',') .. '}'
end

local function received(value)
  if type(value) ~= 'table' then return value end
  if rawget(value, 1) == mark then
    local count = #value
    move(value, 2, count, 1)
    value[count] = nil
    lists[value] = true
  end
  for key, each in next, value do if type(each) == 'table' then received(each) end end
  return value
end
given = received(given)

for _, name in ipairs({ 'load', 'loadfile', 'dofile', 'loadstring', 'require', 'package', 'collectgarbage', 'warn',
    'debug', 'io', 'os' }) do
  _G[name] = nil
end
string.dump = nil

function print(...)
  local parts = {}
  for i = 1, select('#', ...) do parts[i] = tostring((select(i, ...))) end
  say(shown(concat(parts, '\\t')))
end

local function try(name, arguments)
  if type(name) ~= 'string' then error('the name of an operation is a text', 3) end
  if arguments ~= nil and type(arguments) ~= 'table' then error('the arguments of a call are one table', 3) end
  local fine, args = pcall(json, arguments or {}, true, ${DEEPEST})
  if not fine and args ~= NESTED and args ~= BYTES then error(args, 0) end
  if not fine then return nil, args, 'invalid' end
  if args == '[]' then args = '{}' end
  local told = ask(shown(name), args)
  if told.ok then return received(told.answer) end
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
  list = function(values)
    local made = move(values or {}, 1, #(values or {}), 1, {})
    lists[made] = true
    return made
  end,
}, {
  __index = function(_, name) return function(arguments) return (call(name, arguments)) end end,
  __metatable = false,
})
args = given

local chunk, fault = load(script, '=script', 't')
if not chunk then return { ok = false, fault = shown(fault) } end
local ok, result = pcall(chunk, given)
if not ok then return { ok = false, fault = shown(tostring(result)) } end
local fine, said = pcall(json, result, false, ${DEEPEST})
if fine then return { ok = true, result = said or 'null' } end
return { ok = false, nested = said == NESTED, fault = shown(tostring(said)) }
`;
