// The handler of live news: follows what the database tells and hands on what this caller may hear.
import type { ReadScene } from '../../../kernel/scene.ts';
import { bind } from '../../../kernel/scene.ts';
import type { News } from '../../../kernel/ground.ts';
import { visibleProjects } from '../../work/work/projects.store.ts';
import { eventsLive } from './contract.ts';
import { OF_PROJECT, heardAs } from './rules.ts';

/** The door says when a stream ends: soon enough that nobody who lost their rights listens on. */
export const live = bind(eventsLive, async (scene) => follow(scene, scene.request.signal ?? NEVER));

const NEVER = new AbortController().signal;

async function* follow(scene: ReadScene, signal: AbortSignal): AsyncGenerator<News> {
  for await (const news of scene.house.newsroom.follow(signal)) {
    // Asked at each news of a project, because projects come and boards change while the stream is open.
    const projects = OF_PROJECT.includes(news.topic) ? await visibleIds(scene) : null;
    const heard = heardAs(scene.caller, { topic: news.topic, id: news.id }, projects);
    if (heard) yield heard;
  }
}

async function visibleIds({ db, caller }: ReadScene): Promise<ReadonlySet<string> | null> {
  const visible = await visibleProjects(db, caller, 'work.item.read');
  return visible === 'all' ? null : new Set(visible.map((project) => project.id));
}
