// Every component of the kit in every state on one page, for administrators.
import { Button, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../client/call.ts';
import { useMe } from '../client/session.ts';
import { tell } from '../client/toast.ts';
import { ActButton } from '../kit/act-button.tsx';
import { CodeBlock, SecretOnce } from '../kit/code-block.tsx';
import { confirm } from '../kit/confirm.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { DetailDrawer, Facts } from '../kit/detail-drawer.tsx';
import { FormEnd, FormStack, useActForm } from '../kit/form.tsx';
import { History } from '../kit/history.tsx';
import { KeyHint } from '../kit/key-hint.tsx';
import { MailFrame } from '../kit/mail-frame.tsx';
import { Markdown } from '../kit/markdown.tsx';
import { counted, many, percent } from '../kit/numbers.ts';
import { Page, Section } from '../kit/page.tsx';
import {
  Count,
  Label,
  Pill,
  PRIORITY,
  PriorityMark,
  STATUS,
  StatusPill,
  type Priority,
  type Tone,
} from '../kit/pills.tsx';
import { Principal } from '../kit/principal.tsx';
import { Bones, Empty, Trouble } from '../kit/states.tsx';
import { Time } from '../kit/time.tsx';
import { Tip } from '../kit/tip.tsx';
import type { Status } from '../../features/work/work/contract.ts';
import { KitLists } from './kit-lists.tsx';
import classes from './kit-screen.module.css';

const TONES: Tone[] = ['good', 'warn', 'bad', 'agent', 'service', 'info', 'mute'];
const KINDS = ['person', 'agent', 'service', 'system'];
const PAST = '2025-03-04T09:30:00.000Z';
const FUTURE = '2199-01-02T09:30:00.000Z';

const Row = ({ children }: { children: ReactNode }) => <div className={classes.row}>{children}</div>;

export function KitScreen() {
  const me = useMe();
  const crumbs: [{ title: string }] = [{ title: 'Kit' }];
  if (!me.admin)
    return (
      <Page crumbs={crumbs}>
        <Trouble error={new ApiError(403, 'policy_denied', 'Only administrators can see the UI kit.')} />
      </Page>
    );
  return (
    <Page crumbs={crumbs} beside={<Count>{counted(20)}</Count>} width="reading">
      <Buttons />
      <Marks />
      <Words />
      <Form />
      <States />
      <KitLists />
      <Over />
    </Page>
  );
}

const Buttons = () => (
  <Section title="Buttons" says="A button says what it does; a disabled one says why.">
    <Row>
      <Button>Approve</Button>
      <Button variant="default">Cancel</Button>
      <Button color="red">Delete</Button>
      <Button loading>Sending</Button>
      <ActButton closed="Only an administrator can do this.">Closed</ActButton>
      <ActButton onClick={() => tell('Done.')}>Show a message</ActButton>
      <DeleteButton
        title="Delete it?"
        says="This can’t be undone."
        busy={false}
        onDelete={() => tell('Deleted.')}
      />
      <Tip label="Tooltip text">
        <Button variant="subtle" aria-description="Tooltip text">
          With a tooltip
        </Button>
      </Tip>
      <KeyHint keys="mod+k" />
      <KeyHint keys="g b" />
    </Row>
  </Section>
);

const Marks = () => (
  <Section title="Marks" says="Every state has a label as well as a color.">
    <Row>
      {TONES.map((tone) => (
        <Pill key={tone} tone={tone}>
          {tone}
        </Pill>
      ))}
    </Row>
    <Row>
      {TONES.map((tone) => (
        <Count key={tone} tone={tone}>
          {counted(1_204)}
        </Count>
      ))}
    </Row>
    <Row>
      {Object.keys(STATUS).map((status) => (
        <StatusPill key={status} status={status as Status} />
      ))}
    </Row>
    <Row>
      {Object.keys(PRIORITY).map((priority) => (
        <PriorityMark key={priority} priority={priority as Priority} />
      ))}
      {['spring', 'Ghent', 'follow up'].map((label) => (
        <Label key={label}>{label}</Label>
      ))}
    </Row>
    <Row>
      {KINDS.map((kind) => (
        <Principal
          key={kind}
          of={{ kind, id: kind, name: kind === 'agent' ? 'An agent' : `A ${kind}` }}
          behalf={kind === 'agent' ? { kind: 'person', id: 'p', name: 'Ada' } : null}
        />
      ))}
    </Row>
  </Section>
);

const Words = () => (
  <Section title="Text, times and numbers">
    <Row>
      <Time at={PAST} />
      <Time at={FUTURE} />
      <Time at={null} />
      <span>{many(1, 'letter')}</span>
      <span>{many(12_000, 'letter')}</span>
      <span>{percent(0.125)}</span>
    </Row>
    <Markdown text={'**Bold**, `code`, a [link](https://example.com)\n\n- one\n- two'} />
    <CodeBlock text="curl http://127.0.0.1:4400/healthz" label="command" />
    <SecretOnce value="a-value-that-is-shown-once" label="example" />
    <Facts
      of={[
        ['Name', 'Dana Roe'],
        ['Seen', <Time key="seen" at={PAST} />],
      ]}
    />
    <History
      facts={[{ id: '1', by: { kind: 'person', id: 'p', name: 'Ada' }, at: PAST }]}
      says={() => ({ did: 'renamed it', more: 'The old name was wrong.' })}
    />
    <MailFrame html="<p>An incoming email, without scripts.</p>" title="A letter" />
  </Section>
);

function Form() {
  const form = useActForm({ name: '', kind: 'work', on: true, secret: '', text: '' }, () =>
    Promise.reject(
      new ApiError(400, 'invalid', 'The form has an error.', { fields: { name: 'name: enter a name' } }),
    ),
  );
  return (
    <Section title="Form" says="An invalid value shows the reason next to its field.">
      <FormStack form={form} label="Example">
        <TextInput label="Name" description="Shown to other people" {...form.text('name')} />
        <PasswordInput label="Secret" autoComplete="off" {...form.text('secret')} />
        <Textarea label="Text" {...form.text('text')} />
        <Select
          label="Kind"
          data={['work', 'personal']}
          value={form.values.kind}
          onChange={(kind) => form.set('kind', kind ?? 'work')}
        />
        <Switch
          label="Turned on"
          checked={form.values.on}
          onChange={(event) => form.set('on', event.currentTarget.checked)}
        />
        <TextInput label="Closed" disabled defaultValue="Can’t be changed here" />
        <FormEnd form={form} act="Send" cancel={() => form.reset()} />
      </FormStack>
    </Section>
  );
}

const FAILURES: [status: number, sentence: string][] = [
  [403, 'No policy lets you read this: an administrator can attach one.'],
  [404, 'No person has that id.'],
  [0, 'Can’t reach Dunnock. Check your connection and try again.'],
  [500, 'Something went wrong on our side. Your operator can find it in the log as 0198c0de.'],
];

const States = () => (
  <Section title="Empty and error states">
    <Empty icon={Inbox} title="Nothing here yet" action={<Button>Create the first one</Button>}>
      What goes here, and how to add it.
    </Empty>
    <Bones lines={3} />
    {FAILURES.map(([status, sentence]) => (
      <Trouble key={status} error={new ApiError(status, 'fault', sentence)} again={() => undefined} />
    ))}
  </Section>
);

function Over() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Overlays">
      <Row>
        <Button variant="default" onClick={() => setOpen(true)}>
          Open a drawer
        </Button>
        <Button
          variant="default"
          onClick={() =>
            void confirm({
              title: 'Delete the example?',
              says: 'What is lost and what is kept.',
              act: 'Delete',
              tone: 'bad',
            })
          }
        >
          Open a dialog
        </Button>
      </Row>
      <DetailDrawer title="One record" opened={open} onClose={() => setOpen(false)}>
        <Facts of={[['Name', 'Dana Roe']]} />
      </DetailDrawer>
    </Section>
  );
}
