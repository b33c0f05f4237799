// Connect an agent: mint a token, copy one line, and see the agent's first call arrive.
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Radio as Waiting } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { SecretOnce } from '../../../../ui/kit/code-block.tsx';
import { LearnMore } from '../../../../ui/kit/learn-more.tsx';
import { OpenTo } from '../../../../ui/kit/open-to.tsx';
import { Page, Section } from '../../../../ui/kit/page.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { ConnectLines } from './connect-lines.tsx';
import { MintForm, type Minted } from './mint-form.tsx';
import classes from './tokens.module.css';

const LOOK_EVERY_MS = 3_000;

export function ConnectScreen() {
  const [minted, setMinted] = useState<Minted | null>(null);
  return (
    <Page
      crumbs={[{ title: 'Settings' }, { title: 'API', to: '/settings/api' }, { title: 'Connect an agent' }]}
      width="reading"
    >
      <OpenTo action="admin.token.mint">
        <Section
          title="1. Mint a token"
          says="The agent works with your permissions. It can’t decide approvals."
        >
          {minted ? (
            <SecretOnce value={minted.value} label="token value" />
          ) : (
            <MintForm onMinted={setMinted} name="agent" />
          )}
        </Section>
        <Section
          title="2. Copy the configuration for your client"
          says={
            minted ? 'The token is filled in.' : 'Mint a token first. Its value then replaces <ACCESS_TOKEN>.'
          }
        >
          <ConnectLines {...(minted ? { value: minted.value } : {})} />
        </Section>
        {minted && (
          <Section title="3. Make the first call">
            <FirstCall token={minted.token.id} />
          </Section>
        )}
        <Section
          title="How its work is reviewed"
          says="Work items that the agent finishes wait under Approvals until a person approves or returns them."
        >
          <p>
            You can’t approve a work item that you wrote, even when your agent finished it. Take it out of
            review and finish it yourself, or <Link to="/settings/users">invite a second person</Link> to
            review it. <LearnMore page="agents" about="agents and approvals" />
          </p>
        </Section>
      </OpenTo>
    </Page>
  );
}

function FirstCall({ token }: { token: string }) {
  const [seen, setSeen] = useState(false);
  const { data } = useRead('token_list', { limit: 200 }, seen ? {} : { every_ms: LOOK_EVERY_MS });
  const row = data?.items.find((one) => one.id === token);
  const called = row?.first_agent_turn_at ?? row?.last_used_at ?? null;
  if (called && !seen) setSeen(true);
  return (
    <p className={classes.firstCall} role="status" data-seen={seen || undefined}>
      {seen ? <CircleCheck size={17} aria-hidden /> : <Waiting size={17} aria-hidden />}
      {seen ? (
        <span>
          Connected: first call received <Time at={called} />.
        </span>
      ) : (
        'Waiting for the first call. For example, ask your agent what’s on the board.'
      )}
    </p>
  );
}
