// How policies name a letter: itself, and the campaign that it belongs to.

export const sendNames = ({ id, campaign_id }: { id: string; campaign_id: string | null }): string[] => [
  `outreach:send/${id}`,
  ...(campaign_id === null ? [] : [`outreach:campaign/${campaign_id}`]),
];
