// `?`: the keys that work right now, as they are registered.
import { Modal } from '@mantine/core';
import { KeyHint } from '../kit/key-hint.tsx';
import { useBindings, type KeyBinding } from '../kit/keys.ts';
import { useTopmost } from '../kit/topmost.ts';
import classes from './keys-sheet.module.css';

export function KeysSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const topmost = useTopmost(opened);
  const groups = new Map<string, KeyBinding[]>();
  for (const binding of useBindings()) {
    if (binding.silent) continue;
    const group = groups.get(binding.group) ?? [];
    // The newest registration of a key is the one that runs.
    groups.set(binding.group, [...group.filter((one) => one.keys !== binding.keys), binding]);
  }
  return (
    <Modal opened={opened} closeOnEscape={topmost} onClose={onClose} title="Keyboard shortcuts" size={560}>
      <div className={classes.groups}>
        {[...groups].map(([group, bindings]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {bindings.map((binding) => (
                <div key={binding.keys}>
                  <dt>{binding.does}</dt>
                  <dd>
                    <KeyHint keys={binding.keys} />
                    <span className="unseen">{binding.keys}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
