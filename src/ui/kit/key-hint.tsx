// A key as it is in a button, a menu or the sheet.
import { spelled } from './keys.ts';

export function KeyHint({ keys }: { keys: string }) {
  return (
    <span aria-hidden style={{ display: 'inline-flex', gap: 3 }}>
      {spelled(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
