// What can be done with a domain: pause it at once, resume it after the harm was named, retire it for good.
import { Button } from '@mantine/core';
import { Archive, Pause, Play } from 'lucide-react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Domain } from '../contract.ts';
import { inWords } from './words.ts';
import classes from './domains.module.css';

export function DomainActs({ domain }: { domain: Domain }) {
  const args = { domain: domain.id };
  const pause = useAct('domain_pause', {
    says: `${domain.name} paused. Letters from this domain will be held.`,
  });
  const resume = useAct('domain_resume', { says: `${domain.name} resumed at half its allowance` });
  const retire = useAct('domain_retire', { says: `${domain.name} retired` });
  if (domain.state === 'retired')
    return (
      <p className={classes.quiet}>
        This domain is permanently retired. It sends no letters and can’t be added again.
      </p>
    );
  const askResume = async (): Promise<void> => {
    const why = domain.paused_reason ? inWords(domain.paused_reason).toLowerCase() : 'a problem';
    const yes = await confirm({
      title: `Resume ${domain.name}?`,
      says:
        domain.paused_by === 'warden'
          ? `The warden paused this domain because of ${why}. If the cause isn’t fixed, more letters will bounce or be reported as spam, and receivers may block all email from the domain for months. The domain resumes at half its allowance.`
          : 'The domain resumes at half its allowance.',
      act: 'Resume domain',
      tone: 'bad',
    });
    if (yes) resume.mutate({ ...args, seen: domain.seen });
  };
  const askRetire = async (): Promise<void> => {
    const yes = await confirm({
      title: `Retire ${domain.name} permanently?`,
      says: 'The domain’s identities become inactive, their letters are held, and the domain can’t be added again. This can’t be undone.',
      act: 'Retire domain',
      tone: 'bad',
    });
    if (yes) retire.mutate(args);
  };
  return (
    <div className={classes.acts}>
      {domain.state === 'paused' ? (
        <Button leftSection={<Play size={14} />} loading={resume.isPending} onClick={() => void askResume()}>
          Resume
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<Pause size={14} />}
          loading={pause.isPending}
          onClick={() => pause.mutate(args)}
        >
          Pause
        </Button>
      )}
      <Button
        variant="subtle"
        color="gray"
        leftSection={<Archive size={14} />}
        loading={retire.isPending}
        onClick={() => void askRetire()}
      >
        Retire
      </Button>
    </div>
  );
}
