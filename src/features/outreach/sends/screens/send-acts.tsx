// What can be done to one letter from its page: cancel it, keep it back, ask its gates again, go to its review, send it again
// once it failed.
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Hand, MailCheck, RefreshCw, Send as SendIcon } from 'lucide-react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Send } from '../contract.ts';
import { isUnstarted } from '../letter/send.rules.ts';
import { APPROVAL_LIFTS } from '../letter/transitions.rules.ts';
import { AGAIN } from './words.ts';
import classes from './sends.module.css';

export function SendActs({ send }: { send: Send }) {
  const args = { send: send.id };
  const navigate = useNavigate();
  const cancel = useAct('send_cancel', { says: 'Letter canceled.' });
  const hold = useAct('send_hold', { says: 'Letter on hold.' });
  const recheck = useAct('send_recheck', {
    says: ({ send: after }) => (after.state === 'held' ? 'Letter still held.' : 'Letter released.'),
  });
  const approve = useAct('send_approve', { says: 'Letter approved. It’s sent when due.' });
  if (send.state === 'failed' && send.kind !== 'answer') return <SendAgain send={send} />;
  if (!isUnstarted(send.state)) return null;
  const approvable = send.hold !== null && APPROVAL_LIFTS.includes(send.hold.reason);
  const askToApprove = async (): Promise<void> => {
    const yes = await confirm({
      title: `Approve this letter to ${send.to}?`,
      says: 'The letter is sent to this address exactly as shown when it’s due.',
      act: 'Approve the letter',
    });
    if (yes) approve.mutate({ ...args, fingerprint: send.fingerprint });
  };
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: 'Cancel this letter?',
      says: 'This letter will never be sent. To send the step, draft a new letter. This can’t be undone.',
      act: 'Cancel the letter',
      tone: 'bad',
    });
    if (yes) cancel.mutate(args);
  };
  return (
    <div className={classes.acts}>
      {send.state === 'review' && (
        <Button
          leftSection={<MailCheck size={15} />}
          onClick={() => void navigate({ to: '/review', search: { open: send.id } })}
        >
          Review
        </Button>
      )}
      {approvable && (
        <Button
          leftSection={<MailCheck size={15} />}
          loading={approve.isPending}
          onClick={() => void askToApprove()}
        >
          Approve
        </Button>
      )}
      {send.state === 'held' && (
        <Button
          leftSection={<RefreshCw size={15} />}
          loading={recheck.isPending}
          onClick={() => recheck.mutate(args)}
        >
          Recheck
        </Button>
      )}
      {(send.state === 'review' || send.state === 'scheduled') && (
        <Button
          variant="default"
          leftSection={<Hand size={15} />}
          loading={hold.isPending}
          onClick={() => hold.mutate(args)}
        >
          Hold
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<Ban size={15} />}
        loading={cancel.isPending}
        onClick={() => void ask()}
      >
        Cancel
      </Button>
    </div>
  );
}

function SendAgain({ send }: { send: Send }) {
  const again = useAct('send_resend', { says: AGAIN.done });
  const ask = async (): Promise<void> => {
    if (await confirm(AGAIN.ask(send.to))) again.mutate({ send: send.id });
  };
  return (
    <div className={classes.acts}>
      <Button leftSection={<SendIcon size={15} />} loading={again.isPending} onClick={() => void ask()}>
        {AGAIN.act}
      </Button>
    </div>
  );
}
