// The instance that is fuzzed, in a process of its own: whatever ends it or holds it up is seen from outside. How often
// someone may ask is not what this is about. It measures how long its main thread was busy without a pause, in processor time:
// that much longer others wait, whatever else the machine does.
import { openChild } from '../support/child.ts';

const EVERY_MS = 10;

// The product is built into few files, of which the largest takes a tenth of a second to load at its first use. Here the sources
// run, and a library of three hundred files takes three times that; that would be measured instead of what an input does.
await Promise.all([
  import('@simplewebauthn/server'),
  import('nodemailer/lib/mail-composer'),
  import('nodemailer/lib/smtp-connection'),
  import('imapflow'),
  import('mailauth/lib/spf/index.js'),
  import('ai'),
  import('@ai-sdk/anthropic'),
  import('@ai-sdk/openai-compatible'),
  import('@modelcontextprotocol/client'),
]);

const { instance } = await openChild({
  limits: 'chat=off, run=off, wrong_tokens=off, form_posts=off, posts_of_a_form=off',
});

let before = process.threadCpuUsage();
let busiest_us = 0;
setInterval(() => {
  const now = process.threadCpuUsage();
  busiest_us = Math.max(busiest_us, now.user + now.system - before.user - before.system);
  before = now;
}, EVERY_MS);
process.on('message', () => {
  process.send?.({ busiest_ms: Math.round(busiest_us / 1000) });
  busiest_us = 0;
});

process.send?.({ url: instance.address, key: instance.setup.key });
