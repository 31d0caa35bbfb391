import type { Handlers } from '../dispatch.ts';
import { findPeople } from './find-people.ts';
import { VerifyPeople, type VerifyPeopleDeps } from './verify-person.ts';

type PeopleMethods = Pick<Handlers, 'people.find' | 'people.show' | 'people.verify' | 'people.unverify'>;

export function createPeopleHandlers(deps: VerifyPeopleDeps): PeopleMethods {
  const people = new VerifyPeople(deps);
  return {
    'people.find': ({ text }) => findPeople(deps, text),
    'people.show': ({ who }) => people.show(who),
    'people.verify': ({ who, safetyNumber }) => people.verify(who, safetyNumber),
    'people.unverify': ({ who }) => people.unverify(who),
  };
}
