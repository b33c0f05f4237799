// One conversation with an agent. It follows the running turn and scrolls only for a reader who is at the end.
import { Button, CloseButton } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../../../ui/client/call.ts';
import { usePages } from '../../../../ui/client/hooks.ts';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import { withLive } from '../turn/live.rules.ts';
import { AgentChoice, useAgents } from './agent-choice.tsx';
import { beginTurn } from './begin.ts';
import { Composer } from './composer.tsx';
import { Beginning } from './beginning.tsx';
import { Message, TurnShown } from './turn.tsx';
import { useDrafts } from './use-drafts.ts';
import { useEnd } from './use-end.ts';
import { useFollow } from './use-follow.ts';
import classes from './chat.module.css';

type ConversationProps = {
  /** Undefined: it is not begun yet. */
  thread_id: string | undefined;
  title: string | null;
  begun: (thread_id: string) => void;
  /** Null: there are no others. */
  back: (() => void) | null;
};

type Sending = { in: string | undefined; message: string; refused: ApiError | null };

export function Conversation({ thread_id, title, begun, back }: ConversationProps) {
  const [listRuns, setListRuns] = useState(false);
  const { live, begun: follow } = useFollow(thread_id, listRuns);
  const runs = live ? live.state === 'running' : listRuns;
  // A followed turn is newer than the list, which is read again at its end.
  const pages = usePages(
    'chat_turn_list',
    { thread_id: thread_id ?? '', limit: 20 },
    { enabled: thread_id !== undefined && !(live !== null && runs) },
  );
  const listed = thread_id === undefined ? [] : pages.rows.filter((row) => row.thread_id === thread_id);
  const newest = listed[0]?.state === 'running';
  if (newest !== listRuns) setListRuns(newest);
  const turns = withLive(listed, live);
  const last = turns.at(-1);

  const agents = useAgents();
  const [chosen, setChosen] = useState<{ in: string | undefined; agent: string } | null>(null);
  const agent =
    (chosen?.in === thread_id ? agents.find(({ id }) => id === chosen?.agent) : undefined) ??
    agents.find(({ name }) => name === last?.agent) ??
    agents.find(({ built_in }) => built_in);

  const drafts = useDrafts();
  const [sending, setSending] = useState<Sending | null>(null);
  const here = sending?.in === thread_id ? sending : null;
  const { scroller, content, at: atEnd, go: toEnd, stay } = useEnd(thread_id);

  const send = async (message: string): Promise<void> => {
    if (runs || (sending && !sending.refused)) return;
    setSending({ in: thread_id, message, refused: null });
    stay();
    try {
      const turn = await beginTurn({
        message,
        ...(thread_id && { thread_id }),
        ...(chosen?.in === thread_id && agent && { agent: agent.id }),
      });
      follow(turn);
      setSending(null);
      if (thread_id === undefined) begun(turn.thread_id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setSending({ in: thread_id, message, refused: error });
      // What could not be sent is not lost: it is in the box again, before what was written meanwhile.
      drafts.putBack(thread_id, message);
    }
  };

  const loading = thread_id !== undefined && pages.pending && turns.length === 0;
  return (
    <section className={classes.pane} aria-label={title ?? 'New conversation'}>
      <header className={classes.head}>
        <h2>
          <TitleText>{title ?? (thread_id === undefined ? 'New conversation' : '')}</TitleText>
        </h2>
        <AgentChoice
          agents={agents}
          agent={agent}
          model={last?.agent === agent?.name ? last?.model : undefined}
          choose={(id) => setChosen({ in: thread_id, agent: id })}
        />
        {back && (
          <CloseButton className={classes.back ?? ''} aria-label="Back to conversations" onClick={back} />
        )}
      </header>
      <div
        className={classes.scroll}
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-busy={runs}
        aria-label="Messages"
      >
        <div className={classes.turns} ref={content}>
          {pages.more && turns.length > 0 && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={pages.more}>
              Show earlier turns
            </Button>
          )}
          {thread_id !== undefined && pages.error && turns.length === 0 ? (
            <Trouble error={pages.error} again={pages.again} />
          ) : loading ? (
            <Bones lines={4} height={18} />
          ) : turns.length === 0 && (!here || here.refused) ? (
            <Beginning agent={agent?.name ?? 'an agent'} />
          ) : null}
          {turns.map((turn, at) => (
            <TurnShown
              key={turn.id}
              turn={turn}
              newest={at === turns.length - 1 && (!here || here.refused !== null)}
              send={(message) => void send(message)}
            />
          ))}
          {here && !here.refused && (
            <div className={classes.turn}>
              <Message text={here.message} />
            </div>
          )}
        </div>
      </div>
      {!atEnd && (
        <Button
          className={classes.down ?? ''}
          size="compact-sm"
          variant="default"
          leftSection={<ArrowDown size={14} />}
          onClick={toEnd}
        >
          Jump to latest
        </Button>
      )}
      <Composer
        key="composer"
        thread_id={thread_id}
        agent={agent?.name ?? 'an agent'}
        runs={runs}
        sending={sending !== null && sending.refused === null}
        refused={here?.refused ?? null}
        text={drafts.of(thread_id)}
        write={(text) => drafts.write(thread_id, text)}
        send={(message) => void send(message)}
      />
    </section>
  );
}
