#!/usr/bin/env node
// The guard: stops acts reserved for people (letters to strangers, decisions, keys, invitations) before they leave the client,
// whichever tool is used. It only saves a refusal: the instance refuses them to a token without the wire scope anyway.
// DUNNOCK_GUARD_ALLOW lists, separated by commas, acts that a person allows this agent's token, such as `answer.send`;
// decisions and minting can't be allowed.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { isObject, readCall, readInput, stop } from './call.mjs';
import { isHarmless, stopped } from './harms.mjs';

const ACTS = JSON.parse(readFileSync(new URL('./acts.json', import.meta.url), 'utf8'));
const NEVER_LEFT = ['approval.decide', 'token.mint'];
const left = new Set(
  (process.env.DUNNOCK_GUARD_ALLOW ?? '')
    .split(',')
    .map((act) => act.trim())
    .filter((act) => !NEVER_LEFT.includes(act)),
);

/** The act that this call would do, or null. */
function actOf({ tool, arguments: given }) {
  if (tool === 'run') return actInScript(given);
  if (tool === 'api_request' || tool === 'admin_request')
    return given === null ? actNamedIn(text) : actOfRoute(given);
  const named = ACTS.tools.find((each) => each.tool === tool);
  return named && !isHarmless(named.operation, given) ? named.act : null;
}

function actOfRoute(given) {
  const method = typeof given.method === 'string' ? given.method.trim().toUpperCase() : null;
  const path = typeof given.path === 'string' ? given.path.trim().split('?')[0] : null;
  if (method === null || path === null) return actNamedIn(text);
  const parts = segments(path);
  const route = ACTS.routes
    .filter((each) => each.method === method && fits(segments(each.path), parts))
    .toSorted((a, b) => wildcards(a.path) - wildcards(b.path))[0];
  if (!route) return null;
  return isHarmless(route.operation, bodyOf(given.body)) ? null : route.act;
}

/** Spelling doesn't matter: a path that the instance would refuse is checked too. */
const segments = (path) =>
  decoded(path)
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.');

function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const fits = (pattern, parts) =>
  pattern.length === parts.length && pattern.every((part, at) => part.startsWith(':') || part === parts[at]);

const wildcards = (path) => path.split('/:').length;

function bodyOf(body) {
  if (body === undefined) return {};
  if (isObject(body)) return body;
  try {
    const read = JSON.parse(body);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

/** A script calls operations by name; its arguments can't be seen from here. */
function actInScript(given) {
  const script = typeof given?.script === 'string' ? given.script : text;
  const found = ACTS.routes.find(
    ({ operation, method, path }) =>
      method !== 'GET' &&
      (word(operation).test(script) || (path.includes('/:') ? false : script.includes(path))),
  );
  return found?.act ?? null;
}

/** A call that can't be read is stopped when it names one of the acts, and let through otherwise. */
function actNamedIn(unread) {
  const named =
    ACTS.tools.find(({ tool }) => word(tool).test(unread)) ??
    ACTS.routes.find(({ path }) => wordsOf(path).test(unread));
  return named?.act ?? null;
}

const word = (name) => new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9_])`, 'i');

const wordsOf = (path) =>
  new RegExp(
    path
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('/', '\\\\*/')
      .replace(/:[a-z_]+/g, '[^/"\\s]+') + '(?![a-z0-9_/-])',
    'i',
  );

const text = await readInput();
const call = readCall(text);
if (!call?.event.startsWith('Post')) {
  const act = tried();
  if (act !== null && !left.has(act)) stop(stopped(act));
}

/** A fault in here must not let a call through: then the text alone decides. */
function tried() {
  try {
    if (call === null) return actNamedIn(text);
    return call.tool === null ? null : actOf(call);
  } catch {
    return actNamedIn(text);
  }
}
