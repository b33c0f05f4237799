// Code for a page with a web form: HTML, and a script.
import type { Form } from '../contract.ts';

export const htmlFor = ({
  url,
  honeypot,
}: Pick<Form, 'url' | 'honeypot'>): string => `<form action="${url}" method="post">
  <label>Name <input name="name" autocomplete="name"></label>
  <label>Email <input name="email" type="email" autocomplete="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <input name="${honeypot}" tabindex="-1" autocomplete="off" aria-hidden="true"
    style="position: absolute; left: -9999px">
  <button>Send</button>
</form>`;

export const scriptFor = ({ url }: Pick<Form, 'url'>): string => `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name, email, message }),
});
if (!answer.ok) throw new Error((await answer.json()).error.message);`;
