// The fields of an identity as they are given. Each is checked here, so that stored values are safe in a header, a socket and a
// schedule.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { ADDRESS_SAYS, parseAddress } from '../../../mail/address.rules.ts';
import { isTimezone } from '../../../mail/timing/windows.rules.ts';
import { SENT_COPIES } from './ways/filing.rules.ts';
import { SECURITIES, VENDORS } from '../../../mail/transport.rules.ts';

/** It is in a header: a line break there would forge another. */
export const fromName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^\P{C}*$/u, 'a name without line breaks or invisible characters');

/** As it was typed, without outer spaces; what is compared is normalised beside it. */
export const mailAddress = z
  .string()
  .max(300)
  .transform((typed, context) => {
    const read = parseAddress(typed);
    if (read.ok) return read.address.shown;
    context.addIssue({ code: 'custom', message: ADDRESS_SAYS[read.why] });
    return z.NEVER;
  });

export const timezone = z
  .string()
  .max(64)
  .refine(isTimezone, 'a time zone by its name, such as Europe/Berlin');

const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 09:00');

export const workday = z
  .strictObject({
    /** Monday 1 to Sunday 7. */
    days: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .transform((days) => [...new Set(days)].toSorted()),
    from: clockTime,
    to: clockTime.or(z.literal('24:00')),
  })
  .refine(({ from, to }) => from < to, 'a workday ends after it begins');
named('Workday', workday);

const text = (max: number) => z.string().max(max).optional();
export const signature = { signature_text: text(5_000), signature_html: text(20_000) };

const letters = z.int().min(0).max(10_000);
const seconds = z.int().min(0).max(86_400);
export const pacing = {
  daily_cap: letters.optional(),
  hourly_cap: letters.optional(),
  min_gap_s: seconds.optional(),
  jitter_s: seconds.optional(),
};

/** On which sending day an identity is, no one sets: it is counted. */
export const ramp = z.strictObject({
  start: letters.optional(),
  step: letters.optional(),
  ceiling: letters.optional(),
});
named('Ramp', ramp);

/** What becomes of copies of its letters in the Sent folder of its mailbox. */
export const copies = {
  /** auto: the product files them where the provider does not; append: always; none: never. */
  sent_copies: z.enum(SENT_COPIES).optional(),
  /** The folder; null: the one that the mailbox marks as Sent. */
  sent_folder: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{C}*$/u, 'a folder without line breaks')
    .nullable()
    .optional(),
};

const HOST = 'a host name such as smtp.example.com, or an IP address';
const host = z
  .string()
  .trim()
  .max(253)
  .regex(/^(?:[0-9a-f:.]{2,45}|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/i, HOST)
  .transform((name) => name.toLowerCase());
const port = z.int().min(1).max(65_535);
/** Sent on a line of the dialogue with the server. */
const user = z
  .string()
  .min(1)
  .max(254)
  .regex(/^\P{C}*$/u, 'a user name without line breaks');
const secret = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\r\n]*$/, 'a password without line breaks')
  .optional();

const smtpWish = z
  .strictObject({
    kind: z.literal('smtp'),
    host,
    port,
    security: z.enum(SECURITIES),
    user: user.nullable().default(null),
    /** Write-only. Left out, the stored one stays while nothing else of the transport changes. */
    secret,
  })
  .refine(({ security, user: name }) => security !== 'plain' || name === null, {
    message: 'signing in needs encryption: choose tls or starttls, or remove the user',
    path: ['security'],
  })
  .refine(({ secret: given, user: name }) => given === undefined || name !== null, {
    message: 'a password needs the user it belongs to',
    path: ['secret'],
  });

export const transportWish = z.discriminatedUnion('kind', [
  smtpWish,
  z.strictObject({
    kind: z.literal('vendor'),
    provider: z.enum(VENDORS),
    dkim_selector: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i, 'a DKIM selector')
      .default('resend'),
  }),
  z.strictObject({ kind: z.literal('sandbox') }),
]);
export type TransportWish = z.output<typeof transportWish>;
named('TransportWish', transportWish);

export const inboundWish = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('imap'),
    host,
    port,
    security: z.enum(['tls', 'starttls']),
    user,
    mailbox: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^\P{C}*$/u, 'a mailbox without line breaks')
      .default('INBOX'),
    secret,
  }),
  z.strictObject({ kind: z.literal('vendor'), provider: z.enum(VENDORS) }),
  z.strictObject({ kind: z.literal('none') }),
]);
export type InboundWish = z.output<typeof inboundWish>;
named('InboundWish', inboundWish);
