// The pages behind an unsubscribe link: plain HTML with one button, nothing from elsewhere, no script, in light and dark.
import { createHash } from 'node:crypto';
import type { HookAnswer } from '../../../kernel/hook.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif;
  background: Canvas; color: CanvasText; }
main { max-width: 30rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
p { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; padding: 0.75rem 1.5rem; min-height: 44px; border-radius: 0.5rem;
  border: 2px solid CanvasText; background: CanvasText; color: Canvas; cursor: pointer; }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 3px; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // The link is a secret of the recipient's, and is in no list.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

/** `inside` is ours, save what was escaped into it. */
const page = (status: number, title: string, inside: string): HookAnswer => ({
  status,
  headers: HEADERS,
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${inside}
</main>
</body>
</html>
`,
});

/** What one click posts, by a mail program or by the button (RFC 8058). */
export const FIELD = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

export const confirmPage = (whom: string): HookAnswer =>
  page(
    200,
    'No more letters?',
    `<p>Press the button, and no further letter is sent to <strong>${escaped(whom)}</strong>.</p>
<form method="post"><input type="hidden" name="${FIELD.name}" value="${FIELD.value}"><button type="submit">Unsubscribe</button></form>`,
  );

export const donePage = (whom: string): HookAnswer =>
  page(
    200,
    'You are unsubscribed',
    `<p>No further letter is sent to <strong>${escaped(whom)}</strong>. There is nothing else to do.</p>`,
  );

export const unknownPage = (): HookAnswer =>
  page(
    404,
    'This link is not known here',
    '<p>It may have been cut off when it was copied: open it from the letter itself, or answer the letter with "unsubscribe".</p>',
  );

/** As much of an address as its owner needs to know it, and no more than a stranger may see. */
export function masked(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 1) return 'you';
  return `${[...address][0] ?? ''}…${address.slice(at)}`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
