// What the instance's own mail says: short, without pictures, and saying who is behind it and what to do where it was not
// expected.
import type { ToMail } from './queue.store.ts';

type Words = Pick<ToMail, 'subject' | 'text'>;

/** Names come from people: a line of theirs must stay one line, and short. */
const named = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').slice(0, 120);

export const inviteWords = (instance: string, by: string, link: string): Words => ({
  subject: `You are invited to ${instance}`,
  text: `${named(by)} invited you to the instance ${instance}.

Accept here, and choose a password:

${link}

The link works once and for a week. If you expected no invitation, ignore this mail.
`,
});

export const resetWords = (instance: string, link: string): Words => ({
  subject: `A new password for ${instance}`,
  text: `Somebody, hopefully you, asked for a new password on the instance ${instance}.

Choose it here:

${link}

The link works once and for an hour. Every session ends when it is used. If it was not you, ignore this mail: nothing
has changed.
`,
});

export const testWords = (instance: string): Words => ({
  subject: `Mail of ${instance} works`,
  text: `This mail was sent from the settings of the instance ${instance}, to see whether it arrives. It does.
`,
});

/** `waiting` counts those that they may decide; `titles` are those that have waited longest. */
export const approvalWords = (
  instance: string,
  { waiting, titles }: { waiting: number; titles: readonly string[] },
  link: string,
): Words => {
  const says = waiting === 1 ? 'One approval waits' : `${waiting} approvals wait`;
  const more = waiting > titles.length ? `\n  and ${waiting - titles.length} more` : '';
  return {
    subject: `${says} for you on ${instance}`,
    text: `${says} for a decision of yours on the instance ${instance}:

${titles.map((title) => `  ${named(title)}`).join('\n')}${more}

Read and decide:

${link}

You asked to hear of it by mail. Your profile in the settings turns it off.
`,
  };
};
