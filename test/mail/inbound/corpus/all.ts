// The whole corpus of mail that comes in.
import type { Case } from './case.ts';
import { clients } from './clients.ts';
import { complaints } from './complaints.ts';
import { languages } from './languages.ts';
import { machines } from './machines.ts';
import { oddities } from './odd.ts';
import { reports } from './reports.ts';
import { shapes } from './shapes.ts';

export const CORPUS: readonly Case[] = [
  ...clients,
  ...languages,
  ...shapes,
  ...machines,
  ...reports,
  ...complaints,
  ...oddities,
];
