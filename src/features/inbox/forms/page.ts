// The page a browser gets after posting a form: plain HTML without scripts or anything from elsewhere. It never reveals who is
// known here.
import { createHash } from 'node:crypto';
import type { HookAnswer } from '../../../kernel/hook.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif;
  background: Canvas; color: CanvasText; }
main { max-width: 30rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
p { margin: 0; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const COMMON = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/**
 * What lets the script of a page read what came of its post, where the form names that page. A form that a browser sends by
 * itself asks no one.
 */
export const readableBy = (origin: string | undefined, origins: readonly string[]): Record<string, string> =>
  origin !== undefined && origins.includes(origin)
    ? { 'access-control-allow-origin': origin, vary: 'origin' }
    : { vary: 'origin' };

export type FormPage = { status: number; title: string; text: string };

export const THANKS: FormPage = {
  status: 200,
  title: 'Thank you',
  text: 'What you wrote has arrived. You can close this page.',
};
export const NO_ADDRESS: FormPage = {
  status: 400,
  title: 'That address cannot be answered',
  text: 'Go back, write your whole e-mail address, such as name@example.com, and send it again.',
};
export const UNREADABLE: FormPage = {
  status: 400,
  title: 'That could not be read',
  text: 'A form posts its fields urlencoded, as multipart or as one JSON object: ask whoever runs this site.',
};
export const UNKNOWN: FormPage = {
  status: 404,
  title: 'This form takes nothing now',
  text: 'It is not known here any more: ask whoever runs the site for another way to write.',
};
export const TOO_OFTEN: FormPage = {
  status: 429,
  title: 'That was too often',
  text: 'Wait a minute, and send it again.',
};

/** In JSON for whoever asked in JSON. */
export function answerWith({ status, title, text }: FormPage, json: boolean): HookAnswer {
  if (json) {
    const body = status === 200 ? { ok: true } : { error: { message: text } };
    return { status, headers: { ...COMMON, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  return {
    status,
    headers: {
      ...COMMON,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
    },
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
<p>${text}</p>
</main>
</body>
</html>
`,
  };
}

export const sentOn = (location: string): HookAnswer => ({
  status: 303,
  headers: { ...COMMON, location },
  body: '',
});

/** May this page's script post JSON? Asked by the browser before it does; the answer to any other page lets it do nothing. */
export const mayAsk = (origin: string | undefined, origins: readonly string[]): HookAnswer => ({
  status: 204,
  headers: {
    ...COMMON,
    ...readableBy(origin, origins),
    ...(origin !== undefined &&
      origins.includes(origin) && {
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, accept',
        'access-control-max-age': '600',
      }),
  },
  body: '',
});
