// One identity: whether it sends and what keeps it, the test of its outgoing and incoming mail, what people see of it in letters, its pace,
// both ways, and taking it away.
import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { HistoryLink } from '../../../access/audit/screens/shared.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import { WhyButton } from '../../sends/screens/shared.ts';
import type { Identity } from '../contract.ts';
import { Bounces } from './bounces.tsx';
import { IdentityActs } from './identity-acts.tsx';
import { InLetters } from './in-letters.tsx';
import { InTrouble } from './in-trouble.tsx';
import { Pace } from './pace.tsx';
import { SentCopies } from './sent-copies.tsx';
import { TestWay } from './test-way.tsx';
import { Unconfirmed } from './unconfirmed.tsx';
import { WayIn } from './way-in.tsx';
import { OutgoingMail } from './way-out.tsx';
import { causes, standing, wayIn, outgoingMail, whyNot } from './words.ts';
import classes from './identities.module.css';

export function IdentityScreen() {
  const { identity: id } = useParams({ from: '/desk/settings/identities/$identity' });
  const read = useRead('identity_read', { identity: id });
  const identity = read.data?.identity;
  return (
    <Page
      crumbs={[
        { title: 'Settings' },
        { title: 'Identities', to: '/settings/identities' },
        { title: identity?.address ?? 'Identity' },
      ]}
      beside={identity && <Pill tone={standing(identity).tone}>{standing(identity).title}</Pill>}
      actions={
        identity && (
          <>
            <WhyButton of={{ identity: identity.id }} name={identity.address} causes={causes(identity)} />
            <HistoryLink noun="identity" id={identity.id} />
          </>
        )
      }
      width="reading"
    >
      {identity ? (
        <Whole identity={identity} />
      ) : read.error ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : (
        <Bones lines={8} />
      )}
    </Page>
  );
}

function Whole({ identity }: { identity: Identity }) {
  const why = whyNot(identity);
  return (
    <div>
      <div className={classes.standing}>
        {identity.trouble && !identity.gone_at ? (
          <InTrouble trouble={identity.trouble} />
        ) : (
          why && <p className={classes.notice}>{why}</p>
        )}
        {identity.waits && !why && (
          <p className={classes.notice}>
            {identity.waits.says} Next letter: <Time at={identity.waits.until} />
            {identity.waits.since && (
              <>
                {' '}
                First failed: <Time at={identity.waits.since} />
              </>
            )}
          </p>
        )}
        {identity.inbound_trouble && (
          <p className={classes.notice}>
            The mailbox isn’t being read: {identity.inbound_trouble} First seen:{' '}
            <Time at={identity.inbound_trouble_since} />
          </p>
        )}
        <Unconfirmed identity={identity} />
        <IdentityActs identity={identity} />
        <Facts
          of={[
            ['Sends as', `${identity.name} <${identity.address}>`],
            [
              'Domain',
              <Link key="d" to="/settings/domains/$domain" params={{ domain: identity.domain_id }}>
                {identity.domain}
              </Link>,
            ],
            ['Outgoing mail', outgoingMail(identity)],
            ['Incoming mail', wayIn(identity)],
            ['Sent today', `${identity.sent_today} of ${identity.allowance_today}`],
            [
              'Letters',
              <Link key="l" to="/sends" search={{ identity: identity.id }}>
                View letters and why they’re held
              </Link>,
            ],
            ['Last tested', <Time key="t" at={identity.last_tested_at} />],
          ]}
        />
      </div>
      {!identity.gone_at && (
        <>
          <Section
            title="Test"
            says="Checks outgoing mail, with the real envelope sender, and the mailbox. No letter is sent."
          >
            <TestWay identity={identity} />
          </Section>
          <Section title="Bounces" says="Where bounces are sent, and whether they arrive.">
            <Bounces key={`bounces ${identity.revision}`} identity={identity} />
          </Section>
          <Section
            title="What recipients see"
            says="Waiting letters are re-rendered with your changes. Approved letters go back to review."
          >
            <InLetters identity={identity} />
          </Section>
          <Section
            title="Pace"
            says="How many letters this identity sends, and how fast. A new identity starts with a low limit that rises on each day it sends."
          >
            <Pace identity={identity} />
          </Section>
          <Section
            title="Outgoing mail"
            says="Changing the server or vendor deactivates this identity and deletes the saved password."
          >
            <OutgoingMail identity={identity} />
          </Section>
          <Section
            title="Incoming mail"
            says="Where replies arrive. Changing the mailbox deactivates this identity and deletes the saved password."
          >
            <WayIn identity={identity} />
          </Section>
          <Section
            title="Copies in Sent"
            says="Saves sent letters in the mailbox’s Sent folder if the provider doesn’t."
          >
            <SentCopies identity={identity} />
          </Section>
        </>
      )}
    </div>
  );
}
