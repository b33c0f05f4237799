// What a person may choose from in forms about rights: users, policies, groups, projects, as options of a select.
import { useRead } from '../client/hooks.ts';

type Choice = { value: string; label: string };

export const useUserChoices = (state?: 'active'): Choice[] =>
  (useRead('user_list', { limit: 200, ...(state ? { state } : {}) }).data?.items ?? []).map((user) => ({
    value: user.id,
    label: `${user.name} (${user.email})`,
  }));

export const usePolicyChoices = (): string[] =>
  (useRead('policy_list', { limit: 200 }).data?.items ?? [])
    .map((policy) => policy.name)
    .filter((name) => name !== 'member');

export const useGroupChoices = (): Choice[] =>
  (useRead('group_list', { limit: 200 }).data?.items ?? []).map((group) => ({
    value: group.id,
    label: group.name,
  }));

export const useProjectChoices = (): Choice[] =>
  (useRead('project_list', { limit: 200 }).data?.items ?? []).map((project) => ({
    value: project.key,
    label: `${project.key}: ${project.name}`,
  }));
