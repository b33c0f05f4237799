// The open conversation with its side panel; without one, how many need a reply.
import { Inbox } from 'lucide-react';
import type { Answer } from '../../../../../ui/client/call.ts';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { Beside } from '../conversation/beside.tsx';
import { ConversationPane } from '../conversation/conversation.tsx';
import { useConversation } from '../conversation/use-conversation.ts';
import type { ThreadActs } from '../conversation/use-acts.ts';
import { tallied } from '../conversation/words.ts';
import classes from './inbox.module.css';

type ChosenProps = {
  open: string | undefined;
  acts: ThreadActs;
  counts: Answer<'inbox_counts'> | undefined;
  /** Keys belong to what is selected. */
  selecting: boolean;
  leave: () => void;
  onward: () => void;
  select: (id: string | undefined) => void;
  about: (on: boolean) => void;
};

export function Chosen({ open, counts, ...rest }: ChosenProps) {
  if (open === undefined)
    return (
      <div className={classes.none}>
        <Inbox size={26} strokeWidth={1.5} aria-hidden />
        <p>{counts ? waiting(counts) : ''}</p>
        {counts && counts.unanswered > 0 && (
          <p className={classes.hint}>
            Press <KeyHint keys="j" /> to open the first one
          </p>
        )}
      </div>
    );
  return <Open key={open} id={open} {...rest} />;
}

function waiting({
  unanswered,
  unanswered_mine: mine,
  unanswered_unassigned: nobody,
}: Answer<'inbox_counts'>) {
  if (unanswered === 0) return 'You’re all caught up';
  const whose = [
    mine > 0 && `${tallied(mine)} ${mine === 1 ? 'is' : 'are'} yours`,
    nobody > 0 && `${tallied(nobody)} unassigned`,
  ]
    .filter(Boolean)
    .join(', ');
  const wait = unanswered === 1 ? '1 conversation needs' : `${tallied(unanswered)} conversations need`;
  return `${wait} a reply${whose ? `: ${whose}` : ''}.`;
}

function Open({
  id,
  acts,
  selecting,
  leave,
  onward,
  select,
  about,
}: Omit<ChosenProps, 'open' | 'counts'> & { id: string }) {
  const read = useConversation(id);
  const { whole } = read;
  if (!whole)
    return (
      <div className={classes.pane}>
        {read.error ? (
          <Trouble error={read.error} again={read.again} />
        ) : (
          <div className={classes.bones}>
            <Bones lines={7} height={18} />
          </div>
        )}
      </div>
    );
  return (
    <>
      <div className={classes.pane}>
        <ConversationPane
          whole={whole}
          read={read}
          acts={acts}
          selecting={selecting}
          leave={leave}
          onward={onward}
          back={() => select(undefined)}
          about={() => about(true)}
          select={select}
        />
      </div>
      <aside className={classes.beside} aria-label={`About ${whole.thread.person_name ?? 'this person'}`}>
        <Beside whole={whole} select={select} back={() => about(false)} />
      </aside>
    </>
  );
}
