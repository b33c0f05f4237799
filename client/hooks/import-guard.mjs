#!/usr/bin/env node
// The import guard: a file of people is written only after a preview of the same bytes with the same options in this session.
// Returned previews are remembered for the session, and a write without one is stopped here. The instance enforces the
// same rule itself.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isObject, readCall, readInput, stop } from './call.mjs';

const STOPPED =
  'stopped before it left this client: this file wasn’t previewed in this session. Call people_import with this file and without dry_run, read the plan with the person, then import.';
const ROUTE = /^\/api\/admin\/crm\/people\/import\/?$/i;
/** The most previews remembered in a session. */
const KEPT = 100;

const text = await readInput();
const call = readCall(text);
if (call === null) {
  // A call that can't be read is stopped when it could write people, and let through otherwise.
  if (/people_import|people\/import/i.test(text) && /dry_run[^a-z]{1,8}false/i.test(text)) stop(STOPPED);
} else if (call.tool !== null) {
  const file = importIn(call);
  if (file === 'unreadable') stop(STOPPED);
  else if (file !== null && call.event.startsWith('Post')) previewed(file);
  else if (file !== null) aboutToCall(file);
}

/** The arguments of an import, however it is called; null when the call isn't one. */
function importIn({ tool, arguments: given }) {
  if (tool === 'people_import') return given ?? 'unreadable';
  if (tool !== 'api_request' && tool !== 'admin_request') return null;
  if (given === null) return /people\/import/i.test(text) && /false/.test(text) ? 'unreadable' : null;
  if (String(given.method).trim().toUpperCase() !== 'POST' || !ROUTE.test(String(given.path).trim()))
    return null;
  if (isObject(given.body)) return given.body;
  try {
    return JSON.parse(given.body);
  } catch {
    return 'unreadable';
  }
}

function aboutToCall(given) {
  if (given.dry_run !== false) return;
  if (!remembered().includes(markOf(given))) stop(STOPPED);
}

function previewed(given) {
  if (given.dry_run === false || call.failed) return;
  const marks = remembered().filter((each) => each !== markOf(given));
  const file = place();
  writeFileSync(file, JSON.stringify([...marks, markOf(given)].slice(-KEPT)), { mode: 0o600 });
}

/** One mark of the file's bytes and every option: a difference in either is another import. */
function markOf({ file, file_base64, ...given }) {
  const options = { ...given, dry_run: undefined };
  const bytes =
    typeof file_base64 === 'string'
      ? Buffer.from(file_base64, 'base64')
      : Buffer.from(String(file ?? ''), 'utf8');
  const sorted = JSON.stringify(options, (_key, value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(bytes).update('\0').update(sorted).digest('hex');
}

function remembered() {
  try {
    const marks = JSON.parse(readFileSync(place(), 'utf8'));
    return Array.isArray(marks) ? marks : [];
  } catch {
    return [];
  }
}

/** A folder that only this user can write; one file per session. */
function place() {
  const folder =
    process.env.DUNNOCK_GUARD_DIR ?? join(tmpdir(), `dunnock-${userInfo().uid}-${userInfo().username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${createHash('sha256').update(call.session).digest('hex').slice(0, 32)}.json`);
}
