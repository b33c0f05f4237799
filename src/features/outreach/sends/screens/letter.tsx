// The letter as it will arrive: who writes to whom, the subject, and its body. HTML is in a frame of no origin, without
// scripts, and with everything from elsewhere shut out: reading a letter tells no one that it was read.
import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import { MailFrame } from '../../../../ui/kit/mail-frame.tsx';
import type { Send } from '../contract.ts';
import classes from './letter.module.css';

const Difference = lazy(() => import('./difference.tsx').then((m) => ({ default: m.Difference })));

type Whole = Pick<Answer<'send_read'>, 'template' | 'previous'>;

export function Letter({ send, whole }: { send: Send; whole: Whole }) {
  const { template, previous } = whole;
  return (
    <section className={classes.letter} aria-label="The letter">
      <dl className={classes.head}>
        <Line name="From">{send.from ?? 'No identity'}</Line>
        <Line name="To">
          {send.person_name && <strong>{send.person_name} </strong>}
          <bdi>{send.to}</bdi>
        </Line>
        <Line name="Subject">
          {send.subject ? <strong dir="auto">{send.subject}</strong> : <em>No subject</em>}
        </Line>
        {send.quote_hidden && <Line name="Quotes">Hidden: you can’t view the quoted message</Line>}
      </dl>
      <Tabs defaultValue="arrives" keepMounted={false} classNames={{ tab: classes.tab ?? '' }}>
        <Tabs.List className={classes.tabs ?? ''}>
          <Tabs.Tab value="arrives">{send.quote_hidden ? 'Without the quote' : 'Preview'}</Tabs.Tab>
          {send.html !== null && <Tabs.Tab value="text">Plain text</Tabs.Tab>}
          {previous && <Tabs.Tab value="previous">Changes from the previous version</Tabs.Tab>}
          {template && <Tabs.Tab value="template">Changes from template</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="arrives">
          {send.html === null ? (
            <Plain text={send.text} />
          ) : (
            <MailFrame html={send.html} title="Preview of the letter" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <Plain text={send.text} />
        </Tabs.Panel>
        <Suspense>
          {previous && (
            <Tabs.Panel value="previous">
              <Difference before={previous} after={send} />
            </Tabs.Panel>
          )}
          {template && (
            <Tabs.Panel value="template">
              <Difference
                before={{ subject: template.subject ?? send.subject, text: template.text }}
                after={send}
              />
            </Tabs.Panel>
          )}
        </Suspense>
      </Tabs>
    </section>
  );
}

const Line = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Plain = ({ text }: { text: string }) => (
  <div className={classes.plain} dir="auto" tabIndex={0} role="group" aria-label="Letter text">
    {text || <em>No text</em>}
  </div>
);
