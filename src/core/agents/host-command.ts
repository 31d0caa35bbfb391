/**
 * Whether a command names a program that is only on the operator's own machine, and would not be found where an agent
 * is alone, e.g. in a container whose home is /home/agent (spec §7).
 */
const machinePlaces: readonly RegExp[] = [
  /^[a-z]:[/\\]/i,
  /^\\\\/,
  /^\/(Users|Applications|Library|System|Volumes|private|opt\/homebrew|var\/folders)\//,
  /^\/home\/(?!agent\/)[^/]+\//,
  /^~/,
];

/** A bare name is looked up wherever the agent is. */
export const isHostLocalCommand = (command: string): boolean =>
  machinePlaces.some((place) => place.test(command.trim()));
