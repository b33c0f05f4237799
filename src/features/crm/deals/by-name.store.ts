// Stages of the pipeline by their titles, for arguments of deals that name one.
import { type ByName, isAbout } from '../../../kernel/by-name.ts';
import { plain } from '../../../kernel/words.ts';
import { stageKey } from './contract.ts';
import { readPipeline } from './pipeline.store.ts';

export const stagesByName: ByName = {
  noun: 'stage',
  how: 'GET /api/admin/crm/pipeline lists stages',
  action: 'crm.deal.read',
  takes: (op, key) => key === 'stage' && isAbout(op, 'crm.deal'),
  isName: (value) => !stageKey.safeParse(value).success,
  async find({ db }, name) {
    const { stages } = await readPipeline(db);
    const asked = plain(name);
    return stages
      .filter(({ key, title }) => plain(title).startsWith(asked) || key === asked)
      .map(({ key, title }) => ({ id: key, name: title, also: [key] }));
  },
};
