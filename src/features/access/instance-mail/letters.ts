// The text of the instance’s own mail: short, without pictures, naming who sent it and what to do if it wasn’t expected.
import type { ToMail } from './queue.store.ts';

type Words = Pick<ToMail, 'subject' | 'text'>;

/** Names come from people: a line of theirs must stay one line, and short. */
const named = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').slice(0, 120);

export const inviteWords = (instance: string, by: string, link: string): Words => ({
  subject: `You’re invited to ${instance}`,
  text: `${named(by)} invited you to ${instance}.

To accept, choose a password here:

${link}

The link works once and expires in a week. If you weren’t expecting an invitation, ignore this email.
`,
});

export const resetWords = (instance: string, link: string): Words => ({
  subject: `Choose a new password for ${instance}`,
  text: `Someone, hopefully you, requested a new password for ${instance}.

Choose it here:

${link}

The link works once and expires in an hour. Using it signs you out everywhere. If you didn’t request this, ignore
this email: nothing has changed.
`,
});

export const testWords = (instance: string): Words => ({
  subject: `Test email from ${instance}`,
  text: `This is a test email from the settings of ${instance}. Mail is working.
`,
});

/** `waiting` counts those that they may decide; `titles` are those that have waited longest. */
export const approvalWords = (
  instance: string,
  { waiting, titles }: { waiting: number; titles: readonly string[] },
  link: string,
): Words => {
  const says = waiting === 1 ? '1 approval is waiting' : `${waiting} approvals are waiting`;
  const more = waiting > titles.length ? `\n  and ${waiting - titles.length} more` : '';
  return {
    subject: `${says} for you on ${instance}`,
    text: `${says} for your decision on ${instance}:

${titles.map((title) => `  ${named(title)}`).join('\n')}${more}

Review and decide:

${link}

You asked for these emails. To turn them off, go to your profile in the settings.
`,
  };
};

/** `sentences` are the newest of `count`. */
export const noticeWords = (
  instance: string,
  { count, sentences }: { count: number; sentences: readonly string[] },
  base_url: string,
): Words => {
  const says = count === 1 ? '1 new notification' : `${count} new notifications`;
  const more = count > sentences.length ? `\n  and ${count - sentences.length} more` : '';
  return {
    subject: `${says} on ${instance}`,
    text: `${says} on ${instance}:

${sentences.map((sentence) => `  ${named(sentence)}`).join('\n')}${more}

Open Today:

${base_url}/

You asked for these emails. To turn them off, go to your profile in the settings.
`,
  };
};
