// What the instance's own mail says: short, without pictures, and saying who is behind it and what to do where it was not
// expected.
import type { ToMail } from './queue.store.ts';

type Words = Pick<ToMail, 'subject' | 'text'>;

/** Names come from people: a line of theirs must stay one line, and short. */
const named = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').slice(0, 120);

export const inviteWords = (instance: string, by: string, link: string): Words => ({
  subject: `You’ve been invited to ${instance}`,
  text: `${named(by)} invited you to ${instance}.

Accept the invitation and choose a password:

${link}

The link works once and expires after a week. If you didn’t expect an invitation, ignore this email.
`,
});

export const resetWords = (instance: string, link: string): Words => ({
  subject: `Reset your password for ${instance}`,
  text: `Someone asked to reset your password on ${instance}.

Choose a new password:

${link}

The link works once and expires after an hour. Using it ends all of your sessions. If you didn’t ask for this, ignore this
email: nothing has changed.
`,
});

export const testWords = (instance: string): Words => ({
  subject: `Email from ${instance} works`,
  text: `This is a test email from the settings of ${instance}. If you can read it, email works.
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
    text: `${says} for your decision on ${instance}:

${titles.map((title) => `  ${named(title)}`).join('\n')}${more}

Review and decide:

${link}

You receive this because you turned on approval emails. Turn them off under Settings > Profile.
`,
  };
};
