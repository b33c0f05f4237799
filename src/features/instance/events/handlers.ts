// The handler of live updates: follows what the database tells and hands on what this caller may hear.
import type { ReadContext } from '../../../kernel/context.ts';
import { bind } from '../../../kernel/context.ts';
import type { ChangeNotification } from '../../../kernel/database.ts';
import { visibleProjects } from '../../work/work/projects.store.ts';
import { eventsLive } from './contract.ts';
import { OF_PROJECT, heardAs } from './rules.ts';

/** The entry point says when a stream ends: soon enough that no one who lost their rights listens on. */
export const live = bind(eventsLive, async (context) => follow(context, context.request.signal ?? NEVER));

const NEVER = new AbortController().signal;

async function* follow(context: ReadContext, signal: AbortSignal): AsyncGenerator<ChangeNotification> {
  for await (const changes of context.app.changeFeed.follow(signal)) {
    // Asked at each change notification of a project, because projects come and boards change while the stream is open.
    const projects = OF_PROJECT.includes(changes.topic) ? await visibleIds(context) : null;
    const heard = heardAs(context.caller, { topic: changes.topic, id: changes.id }, projects);
    if (heard) yield heard;
  }
}

async function visibleIds({ db, caller }: ReadContext): Promise<ReadonlySet<string> | null> {
  const visible = await visibleProjects(db, caller, 'work.item.read');
  return visible === 'all' ? null : new Set(visible.map((project) => project.id));
}
