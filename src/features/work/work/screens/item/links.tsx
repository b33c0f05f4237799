// What an item points to: addresses on the web, opened in a tab of their own with their host in sight, and things of this
// instance.
import { Button, Popover, TextInput } from '@mantine/core';
import { ExternalLink, X } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import type { Item } from '../../items.contract.ts';
import type { Saving } from './save.ts';
import finder from '../../../../../ui/kit/finder.module.css';
import classes from '../../../../../ui/kit/fields.module.css';

const WEB = /^https?:\/\/[^\s]+$/i;

/** The host first, because it says where the link leads. */
export function LinkLine({ link }: { link: Item['links'][number] }) {
  if (link.kind !== 'url' || !URL.canParse(link.ref))
    return (
      <span>
        {link.kind} <code>{link.ref.slice(0, 8)}</code>
      </span>
    );
  const { host, pathname } = new URL(link.ref);
  return (
    <a href={link.ref} target="_blank" rel="noopener noreferrer nofollow" title={link.ref}>
      <ExternalLink size={13} aria-hidden />
      <bdi>
        {host}
        {pathname.length > 1 ? pathname : ''}
      </bdi>
    </a>
  );
}

export function ItemLinks({ item, saving }: { item: Item; saving: Saving }) {
  const set = (links: Item['links']): Promise<boolean> => saving.save({ links }, { shown: { links } });
  return (
    <>
      {item.links.length > 0 && (
        <ul className={classes.rows}>
          {item.links.map((link) => (
            <li key={`${link.kind} ${link.ref}`}>
              <LinkLine link={link} />
              <button
                type="button"
                className={classes.clear}
                aria-label={`Remove the link to ${link.ref}`}
                onClick={() => void set(item.links.filter((one) => one !== link))}
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <AddLink none={item.links.length === 0} add={(ref) => set([...item.links, { kind: 'url', ref }])} />
    </>
  );
}

function AddLink({ none, add }: { none: boolean; add: (ref: string) => Promise<boolean> }) {
  const [opened, setOpened] = useState(false);
  const [ref, setRef] = useState('');
  const [wrong, setWrong] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!WEB.test(ref.trim())) return setWrong(true);
    if (!(await add(ref.trim()))) return;
    setRef('');
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={300} trapFocus>
      <Popover.Target>
        <button type="button" className={finder.value} onClick={() => setOpened(!opened)}>
          <span className={classes.add}>
            {none ? 'None' : 'Add another'}
            <span className="unseen">: add a link</span>
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Add a link">
        <form
          onSubmit={(event) => void submit(event)}
          style={{ display: 'flex', gap: 6, alignItems: 'flex-start' }}
        >
          <TextInput
            aria-label="Address"
            placeholder="https://"
            style={{ flex: 1 }}
            data-autofocus
            value={ref}
            error={wrong ? 'The address must start with https:// or http://' : undefined}
            onChange={(event) => {
              setRef(event.currentTarget.value);
              setWrong(false);
            }}
          />
          <Button type="submit">Add</Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
