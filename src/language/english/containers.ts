/** Containers in which agent programs run, and their images. */
export const containers = {
  container: 'Container',
  byEngine: 'A container of its own, by {engine}. It is stopped while the agent is idle, and kept.',
  noEngine: 'Neither Docker nor podman is on this computer. Install one of them, then look again.',
  noPermission:
    'You have no right to use {engine}. Give it to your user (for Docker: the group docker), or install podman.',
  notRunning: '{engine} is installed but does not run. Start it, then look again.',
  engineFailed: '{engine} does not work on this computer: {why}',
  asksNever: 'It never asks. Only its container limits what it does.',
  touches:
    'The folders of the agent. It never sees keys, your home or other agents. The network only if you allow it.',
  costs:
    'The model that you choose for it, counted and limited by the budget of the agent. Its own login stays outside.',
  canRun: 'It can run in a container, without being installed.',
  imageReady: 'The image {image} is ready.',
  imageMissing: 'The image with {title} has not been built yet.',
  build: 'Build image',
  buildAgain: 'Build again',
  building: 'Building the image with {title}. This takes a few minutes.',
  stop: 'Stop',
  ownImage: 'Image',
  ownImageHint: 'Empty: the image that Kennel builds. Another image needs the program and Node.js.',
  state: 'State',
  limits: 'Limits',
  limitsAre:
    'Memory {memory}, {cpus, plural, one {# processor} other {# processors}}, {processes, number} processes',
  unlimited: 'without a limit',
  agentImageMissing: 'The image {image} is not on this computer.',
  notStarted: 'Not started yet',
  stateIs: 'The container is {state}.',
} as const;
