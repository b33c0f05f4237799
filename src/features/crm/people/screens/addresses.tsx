// A person's addresses: which is the one that is written to, what a check said of each, and adding and taking away.
import { AddSuppressions } from '../../suppressions/screens/shared.ts';
import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { exact } from '../../../../ui/kit/time.tsx';
import type { Person } from '../contract.ts';
import type { Saving } from '../../../../ui/kit/record-saving.ts';
import { besideInput, VERDICT } from './words.ts';
import classes from './person.module.css';
import record from '../../../../ui/kit/record.module.css';

type Address = Person['addresses'][number];
type Given = Pick<Address, 'value' | 'kind' | 'primary'>;

const KIND: Record<Address['kind'], string> = { work: 'Work', personal: 'Personal', other: 'Other' };
const given = ({ value, kind, primary }: Address): Given => ({ value, kind, primary });

export function Addresses({ person, saving }: { person: Person; saving: Saving<Person> }) {
  const [adding, setAdding] = useState<{ text: string; fault: string | null } | null>(null);
  const [suppressing, setSuppressing] = useState(false);
  const all = person.addresses.map(given);

  const add = async (): Promise<void> => {
    const value = adding?.text.trim();
    if (!value) return setAdding(null);
    const saved = await saving.save(
      { addresses: [...all, { value }] },
      {
        refused: (error) =>
          setAdding({ text: value, fault: Object.values(besideInput(error).fields)[0] ?? error.sentence }),
      },
    );
    if (saved) setAdding(null);
  };
  const change = (address: Given, to: Partial<Given>): void =>
    void saving.save({
      addresses: all.map((one) =>
        one.value === address.value ? { ...one, ...to } : to.primary ? { ...one, primary: false } : one,
      ),
    });

  return (
    <section className={classes.card} aria-label="Addresses">
      <div className={classes.cardHead}>
        <h2>Addresses</h2>
        <span className={record.row}>
          {all.length > 0 && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setSuppressing(true)}>
              Suppress
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Plus size={13} />}
            onClick={() => setAdding({ text: '', fault: null })}
          >
            Add
          </Button>
        </span>
      </div>
      {all.length === 0 && !adding && (
        <p className={classes.quietText}>No address yet. Add one to send letters.</p>
      )}
      {all.length > 0 && (
        <ul className={classes.rows}>
          {person.addresses.map((address) => (
            <li key={address.value}>
              <bdi className={classes.value}>{address.value}</bdi>
              <span className={classes.meta}>
                {address.primary && <Pill tone="info">Written to</Pill>}
                <span className={classes.quietText}>{KIND[address.kind]}</span>
                <Verdict of={address.verification} />
              </span>
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={`Change ${address.value}`}>
                    <Ellipsis size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {!address.primary && (
                    <Menu.Item onClick={() => change(address, { primary: true })}>Use for letters</Menu.Item>
                  )}
                  {(Object.keys(KIND) as Address['kind'][])
                    .filter((kind) => kind !== address.kind)
                    .map((kind) => (
                      <Menu.Item key={kind} onClick={() => change(address, { kind })}>
                        Change to {KIND[kind].toLowerCase()}
                      </Menu.Item>
                    ))}
                  <Menu.Item
                    color="red"
                    onClick={() =>
                      void saving.save({ addresses: all.filter((one) => one.value !== address.value) })
                    }
                  >
                    Remove address
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <TextInput
          aria-label="New address"
          placeholder="ann@example.com"
          autoFocus
          value={adding.text}
          error={adding.fault}
          onChange={(event) => setAdding({ text: event.currentTarget.value, fault: null })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void add();
            if (event.key === 'Escape') {
              event.stopPropagation();
              setAdding(null);
            }
          }}
          rightSectionWidth={70}
          rightSection={
            <Button size="compact-sm" onClick={() => void add()}>
              Save
            </Button>
          }
        />
      )}
      <AddSuppressions
        opened={suppressing}
        onClose={() => setSuppressing(false)}
        values={all.map((one) => one.value)}
      />
    </section>
  );
}

function Verdict({ of }: { of: Address['verification'] }) {
  if (!of) return <span className={classes.none}>Not verified</span>;
  const { title, tone } = VERDICT[of.verdict];
  return (
    <Pill tone={tone} title={`${of.reason.replaceAll('_', ' ')}, checked ${exact(of.checked_at)}`}>
      {title}
    </Pill>
  );
}
