// One sending domain: what it is and whether it may send, the records to publish and whether they are found, what the warden
// counted, and what can be done with it.
import { useParams } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { HistoryLink } from '../../../access/audit/screens/shared.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import { WhyButton } from '../../sends/screens/shared.ts';
import type { Domain } from '../contract.ts';
import { DomainActs } from './domain-acts.tsx';
import { DomainCap } from './domain-cap.tsx';
import { Health } from './health.tsx';
import { Pauses } from './pauses.tsx';
import { Reasons } from './reasons.tsx';
import { Records } from './records.tsx';
import { Senders } from './senders.tsx';
import { causes, inWords, nextStep, STATE } from './words.ts';
import classes from './domains.module.css';

export function DomainScreen() {
  const { domain: id } = useParams({ from: '/desk/settings/domains/$domain' });
  const read = useRead('domain_read', { domain: id });
  const domain = read.data?.domain;
  return (
    <Page
      crumbs={[
        { title: 'Settings' },
        { title: 'Domains', to: '/settings/domains' },
        { title: domain?.name ?? 'Domain' },
      ]}
      beside={domain && <Pill tone={STATE[domain.state].tone}>{STATE[domain.state].title}</Pill>}
      actions={
        domain && (
          <>
            <WhyButton of={{ domain: domain.id }} name={domain.name} causes={causes(domain)} />
            <HistoryLink noun="domain" id={domain.id} />
          </>
        )
      }
      width="reading"
    >
      {domain ? (
        <div>
          <Standing domain={domain} />
          <Section
            title="DNS records"
            says="Add these records at your DNS provider, then check them. Changes can take up to an hour to appear."
          >
            <Records domain={domain} />
          </Section>
          {domain.state !== 'retired' && (
            <Section
              title="Record values"
              says="These settings determine the records above. After a change, publish the updated records and check again."
            >
              <Senders domain={domain} />
            </Section>
          )}
          <Section
            title="Health"
            says="The last 7 days. The warden pauses a domain when bounces or complaints rise."
          >
            <Health domain={domain} />
          </Section>
          <Section
            title="Bounces and refusals"
            says="Why mail servers didn’t accept letters in the last 7 days."
          >
            <Reasons domain={domain} />
          </Section>
          {domain.state !== 'retired' && (
            <Section title="Daily cap" says="The most letters all identities of this domain send in a day.">
              <DomainCap domain={domain} />
            </Section>
          )}
          <Section title="Pauses" says="When this domain was paused, and the evidence.">
            <Pauses domain={domain} />
          </Section>
        </div>
      ) : read.error ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : (
        <Bones lines={8} />
      )}
    </Page>
  );
}

function Standing({ domain }: { domain: Domain }) {
  const next = nextStep(domain);
  return (
    <div className={classes.standing}>
      {(next ?? domain.state === 'paused') && (
        <div className={classes.notice} data-tone={domain.state === 'paused' ? 'bad' : 'warn'}>
          <TriangleAlert size={15} aria-hidden />
          <div>
            {domain.state === 'paused' && (
              <p>
                <strong>
                  Paused by {domain.paused_by === 'warden' ? 'the warden' : 'a person'}
                  {domain.paused_reason && `: ${inWords(domain.paused_reason)}`}
                </strong>{' '}
                <Time at={domain.paused_at} />
              </p>
            )}
            <p>{next}</p>
          </div>
        </div>
      )}
      <DomainActs domain={domain} />
    </div>
  );
}
