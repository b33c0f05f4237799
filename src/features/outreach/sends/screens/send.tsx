// One letter whole: what it says, when it goes or why not with all its gates, what can be done about it, and what happened.
import { Link, useParams } from '@tanstack/react-router';
import type { Answer } from '../../../../ui/client/call.ts';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { History } from '../../../../ui/kit/history.tsx';
import { Page } from '../../../../ui/kit/page.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { HistoryLink } from '../../../access/audit/screens/shared.ts';
import { Letter } from './letter.tsx';
import { Reports } from './reports.tsx';
import { Resolve } from './resolve.tsx';
import { SendActs } from './send-acts.tsx';
import { State } from './sends.tsx';
import { WhyNot } from './why/why-not.tsx';
import { addressee, DELIVERY, happened, KIND } from './words.ts';
import classes from './sends.module.css';

export function SendScreen() {
  const { send: id } = useParams({ from: '/desk/sends/$send' });
  const read = useRead('send_read', { send: id });
  const send = read.data?.send;
  return (
    <Page
      crumbs={[{ title: 'Sends', to: '/sends' }, { title: send ? `Letter to ${addressee(send)}` : 'Letter' }]}
      beside={send && <State send={send} />}
      actions={send && <HistoryLink noun="send" id={send.id} />}
    >
      {read.data ? (
        <Whole whole={read.data} />
      ) : read.error ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : (
        <div className={classes.page}>
          <Bones lines={8} />
        </div>
      )}
    </Page>
  );
}

function Whole({ whole }: { whole: Answer<'send_read'> }) {
  const { send, outlook, reports, history } = whole;
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        {send.state === 'uncertain' && <Resolve send={send} />}
        <SendActs send={send} />
        <Letter key={send.fingerprint} send={send} whole={whole} />
        <History facts={history} says={happened} />
      </div>
      <aside className={classes.side} aria-label="About the letter">
        <WhyNot outlook={outlook} state={send.state} />
        <Reports reports={reports} />
        <section className={classes.facts}>
          <h2>Details</h2>
          <Facts
            of={[
              [
                'Person',
                send.person_id ? (
                  <Link key="p" to="/people/$person" params={{ person: send.person_id }}>
                    {addressee(send)}
                  </Link>
                ) : (
                  'Deleted'
                ),
              ],
              ['Campaign', send.campaign_name ?? KIND[send.kind]],
              ['From', send.from ?? 'No identity'],
              ['Due', <Time key="d" at={send.scheduled_for} none="Not yet" />],
              [
                'Approved',
                send.approved_by ? (
                  <span key="a">
                    <Principal of={send.approved_by} behalf={send.approved_by.on_behalf_of ?? null} />{' '}
                    <Time at={send.approved_at} />
                  </span>
                ) : (
                  'No one'
                ),
              ],
              ['Sent', <Time key="s" at={send.sent_at} none="Not yet" />],
              ...(send.delivery ? [['Outcome', DELIVERY[send.delivery].title] as [string, string]] : []),
              ...(send.state === 'cancelled' && send.note ? [['Note', send.note] as [string, string]] : []),
              ['Message ID', <code key="m">{send.message_id}</code>],
            ]}
          />
        </section>
      </aside>
    </div>
  );
}
