import type { HostPart } from '../../host-part.ts';

export const steps: HostPart<'steps'> = {
  notDone: 'nicht getan: {action}',
  inTerminal: 'wartet: seine Sitzung ist in einem Terminal offen',
  plan: 'Plan: {done} von {n} erledigt',
  retriesIn: 'versucht es in {n} s wieder: {why}',
  retriesSoon: 'versucht es gleich wieder: {why}',
  forPlace: '{action}, für {place}',
  thinking: 'denkt nach',
  thought: 'hat nachgedacht',
  waitsForYou: 'wartet auf dich: {action}',
  workingOnTask: 'arbeitet an Aufgabe {task}',
  answeringIn: 'antwortet in #{room}',
  answering: 'antwortet @{person}',
  largerBudget: 'ein größeres Budget',
};
