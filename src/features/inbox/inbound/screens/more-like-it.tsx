// Similar email in quarantine, by address, domain or mailing list: show it, or always dismiss it.
import { Button } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { Refused } from '../../../../ui/kit/form.tsx';
import { many } from '../../../../ui/kit/numbers.ts';
import type { Quarantined } from '../contract.ts';
import type { QuarantineFilter } from '../quarantine-rules.contract.ts';
import type { RuleKind } from '../quarantine/quarantine.rules.ts';
import classes from './quarantine.module.css';

type MoreProps = { mail: Quarantined; only: (filter: QuarantineFilter) => void; done: () => void };
type Like = { kind: RuleKind; value: string; title: string; filter: QuarantineFilter };

export function MoreLikeIt({ mail, only, done }: MoreProps) {
  const create = useAct('quarantine_rule_create', {
    quiet: true,
    says: ({ dismissed }) => `Rule created, ${many(dismissed, 'email', 'emails')} dismissed`,
    onSuccess: done,
  });
  const ask = async ({ kind, value, title }: Like): Promise<void> => {
    const yes = await confirm({
      title: `Always dismiss email ${title.toLowerCase()} ${value}?`,
      says: 'This dismisses all matching email, including email already in quarantine. Replies to your letters still arrive. To stop, delete the rule under Rules.',
      act: 'Always dismiss',
    });
    if (yes) create.mutate({ kind, value });
  };
  const likes = likesOf(mail);
  if (likes.length === 0) return null;
  return (
    <section className={classes.place} aria-label="More like this">
      <h3>More like this</h3>
      <ul className={classes.rules}>
        {likes.map((like) => (
          <li key={like.kind}>
            <span>
              {like.title} <bdi>{like.value}</bdi>
            </span>
            <Button size="compact-sm" variant="default" onClick={() => only(like.filter)}>
              Show all
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              loading={create.isPending && create.variables.kind === like.kind}
              onClick={() => void ask(like)}
            >
              Always dismiss
            </Button>
          </li>
        ))}
      </ul>
      <Refused error={create.error} />
    </section>
  );
}

function likesOf({ from: { address }, list }: Quarantined): Like[] {
  const domain = address?.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return [
    ...(list ? [{ kind: 'list', value: list, title: 'From list', filter: { list } } as const] : []),
    ...(address
      ? [{ kind: 'address', value: address, title: 'From', filter: { from: address } } as const]
      : []),
    ...(domain ? [{ kind: 'domain', value: domain, title: 'From domain', filter: { domain } } as const] : []),
  ];
}
