// What may be done to an agent, as pure rules: the same sentence refuses the act and is shown on the disabled button.
export const builtInStays = (name: string): string =>
  `${name} is built in and can’t be deleted: change it instead`;
