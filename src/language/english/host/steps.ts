export const steps = {
  notDone: 'did not {action}',
  plan: 'plan: {done} of {n} done',
  retriesIn: 'waiting {n} s to try again: {why}',
  retriesSoon: 'waiting to try again: {why}',
  forPlace: '{action} for {place}',
  thinking: 'thinking',
  thought: 'thought about it',
  waitsForYou: 'waiting for you: {action}',
  workingOnTask: 'working on task {task}',
  answeringIn: 'answering in #{room}',
  answering: 'answering @{person}',
  largerBudget: 'a larger budget',
} as const;
