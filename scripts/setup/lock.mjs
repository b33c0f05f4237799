// Owns "one set-up at a time": two starts in one checkout must not install over each other.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNTIME, say, SetupError } from './paths.mjs';

const LOCK = join(RUNTIME, 'setup.lock');
const LIMIT_MS = 15 * 60_000;

function holderIsGone() {
  try {
    process.kill(Number(readFileSync(join(LOCK, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function tryTake() {
  // Made whole beside it and moved into place: a lock without a pid is never seen.
  const ours = `${LOCK}.${process.pid}`;
  rmSync(ours, { recursive: true, force: true });
  mkdirSync(ours, { recursive: true });
  writeFileSync(join(ours, 'pid'), String(process.pid));
  try {
    renameSync(ours, LOCK);
    return true;
  } catch {
    rmSync(ours, { recursive: true, force: true });
    return false;
  }
}

function removeDead() {
  const dead = `${LOCK}.dead.${process.pid}`;
  try {
    renameSync(LOCK, dead);
    rmSync(dead, { recursive: true, force: true });
  } catch {
    // another process was quicker
  }
}

/** Runs `work` while no other set-up runs in this checkout. */
export async function oneAtATime(work) {
  try {
    mkdirSync(RUNTIME, { recursive: true });
  } catch {
    throw new SetupError(
      `Set-up has work to do and may not write to ${RUNTIME}: give this user the right to write there.`,
    );
  }
  const until = Date.now() + LIMIT_MS;
  for (let told = false; !tryTake(); told = true) {
    if (holderIsGone()) {
      removeDead();
      continue;
    }
    if (Date.now() > until)
      throw new SetupError(`Another set-up holds ${LOCK}: end it, or remove that folder.`);
    if (!told) say('Another set-up is running in this checkout; waiting for it.');
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}
