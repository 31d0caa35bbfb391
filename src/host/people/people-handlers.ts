import type { Handlers } from '../dispatch.ts';
import { type FindPeopleDeps, findPeople } from './find-people.ts';

type PeopleMethods = Pick<Handlers, 'people.find'>;

export function createPeopleHandlers(deps: FindPeopleDeps): PeopleMethods {
  return { 'people.find': ({ text }) => findPeople(deps, text) };
}
