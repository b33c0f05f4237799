// Saves that one page makes of a campaign part by part: each part's revision and fingerprint move on with the saves of the
// others, so that parts of one page never conflict with each other, and what someone else changed still does.
import { useState } from 'react';
import { usePinned } from '../../../../ui/client/pinned.ts';
import type { Campaign } from '../contract.ts';

type Read = Pick<Campaign, 'revision' | 'seen' | 'sequence_revision'>;
type Save = { from: Read; to: Read };

export type OwnSaves = {
  made: readonly Save[];
  /** Called with what the save was based on and what it left. */
  add: (from: Read, to: Read) => void;
};

export function useOwnSaves(): OwnSaves {
  const [made, setMade] = useState<readonly Save[]>([]);
  return { made, add: (from, to) => setMade((before) => [...before, { from, to }]) };
}

/** Only a save that followed on exactly what was read moves it on. */
export const carried = (read: Read, made: readonly Save[]): Read =>
  made.reduce((at, { from, to }) => (from.revision === at.revision && from.seen === at.seen ? to : at), read);

/** What a part is saved on: what was there when its edit began, and what this page saved of it since. */
export const useReadOf = (campaign: Campaign, editing: boolean, { made }: OwnSaves): Read =>
  carried(usePinned(campaign, editing), made);
