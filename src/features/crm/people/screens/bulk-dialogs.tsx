// What the acts on many people ask for: a tag by its name, whose they are from now on, and which campaign they are enrolled in.
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { useUserChoices } from '../../../../ui/kit/choices.ts';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import { howMany, type Chosen } from '../../../../ui/shell/runs-chosen.tsx';
import type { ListedPerson } from '../contract.ts';
import classes from './people.module.css';

type TagProps = {
  how: 'add' | 'take' | null;
  chosen: Chosen<ListedPerson>;
  pick: (tag: string) => void;
  close: () => void;
};

export function TagDialog({ how, chosen, pick, close }: TagProps) {
  const topmost = useTopmost(how !== null);
  const [name, setName] = useState('');
  const there = [...new Set(chosen.picked.flatMap((person) => person.tags))].sort();
  const end = (): void => {
    setName('');
    close();
  };
  const take = how === 'take';
  // Of many people there are too many tags to choose from.
  const typed = !take || chosen.all;
  return (
    <Modal
      opened={how !== null}
      onClose={end}
      title={take ? 'Remove a tag' : 'Add a tag'}
      size={400}
      closeOnEscape={topmost}
    >
      <div className={classes.progress}>
        {take && !typed && there.length === 0 && <p>None of these people has a tag.</p>}
        {take &&
          there.map((tag) => (
            <Button key={tag} variant="default" justify="flex-start" onClick={() => pick(tag)}>
              {tag}
            </Button>
          ))}
        {typed && (
          <form
            className={classes.progress}
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim()) pick(name.trim());
              setName('');
            }}
          >
            <TextInput
              label={take && there.length > 0 ? 'Another tag' : 'Tag'}
              data-autofocus
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <div className={classes.end}>
              <Button variant="default" onClick={end}>
                Cancel
              </Button>
              <Button type="submit" disabled={!name.trim()}>
                {take ? 'Remove from' : 'Add to'} {howMany(chosen, ['person', 'people'])}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Modal>
  );
}

type OwnerProps = { opened: boolean; close: () => void; pick: (owner: string | null) => void };

export function OwnerDialog({ opened, close, pick }: OwnerProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={close} title="Assign an owner" size={400} closeOnEscape={topmost}>
      <OwnerChoices pick={pick} />
    </Modal>
  );
}

function OwnerChoices({ pick }: Pick<OwnerProps, 'pick'>) {
  const users = useUserChoices('active');
  return (
    <div className={classes.progress}>
      <Button variant="default" justify="flex-start" onClick={() => pick('me')}>
        Mine
      </Button>
      {users.map((user) => (
        <Button key={user.value} variant="default" justify="flex-start" onClick={() => pick(user.value)}>
          {user.label}
        </Button>
      ))}
      <Button variant="default" justify="flex-start" onClick={() => pick(null)}>
        Unassigned
      </Button>
    </div>
  );
}

type EnrolProps = { opened: boolean; whom: string; close: () => void; pick: (campaign: string) => void };

export function EnrolDialog({ opened, whom, close, pick }: EnrolProps) {
  const topmost = useTopmost(opened);
  return (
    <Modal opened={opened} onClose={close} title={`Enrol ${whom}`} size={440} closeOnEscape={topmost}>
      <EnrolForm close={close} pick={pick} />
    </Modal>
  );
}

function EnrolForm({ close, pick }: Pick<EnrolProps, 'close' | 'pick'>) {
  const campaigns = useRead('campaign_list', { limit: 200 }).data?.items ?? [];
  const [campaign, setCampaign] = useState('');
  return (
    <form
      className={classes.progress}
      onSubmit={(event) => {
        event.preventDefault();
        if (campaign) pick(campaign);
      }}
    >
      <NativeSelect
        label="Campaign"
        description="People who can’t be enrolled are listed with the reason. In an active campaign, letters start after the first step’s wait."
        data-autofocus
        value={campaign}
        onChange={(event) => setCampaign(event.currentTarget.value)}
        data={[
          { value: '', label: 'Choose a campaign' },
          ...campaigns
            .filter(({ state }) => state !== 'archived')
            .map(({ id, name, state }) => ({ value: id, label: `${name} (${state})` })),
        ]}
      />
      <div className={classes.end}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" disabled={!campaign}>
          Enrol
        </Button>
      </div>
    </form>
  );
}
