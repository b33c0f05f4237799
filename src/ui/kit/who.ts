// Who someone is on a screen: a person, an agent or a service, and whom it acts for.
export type Who = {
  kind: string;
  id: string;
  name: string;
  on_behalf_of?: { kind: string; id: string; name: string };
};

/** `scout on behalf of Ada`, as a tooltip or a reader says it. */
export const named = ({ name, on_behalf_of }: Who): string =>
  on_behalf_of ? `${name} on behalf of ${on_behalf_of.name}` : name;

export const same = (
  a: { kind: string; id: string } | null,
  b: { kind: string; id: string } | null,
): boolean => a?.id === b?.id && a?.kind === b?.kind;
