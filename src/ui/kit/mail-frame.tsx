// Shows someone’s HTML mail in a frame without an origin, scripts or forms, and blocks everything it would load from elsewhere,
// so that reading it tells no one.
import classes from './mail-frame.module.css';

const SHUT = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

export function MailFrame({ html, title }: { html: string; title: string }) {
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${SHUT}"><meta name="referrer" content="no-referrer"><style>body{margin:18px 20px;font:14px/1.6 system-ui,sans-serif;overflow-wrap:anywhere}</style>${html}`;
  return (
    <iframe className={classes.frame} sandbox="" srcDoc={page} title={title} referrerPolicy="no-referrer" />
  );
}
