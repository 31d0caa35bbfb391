export const cliImages = {
  done: 'The image {image} is ready.',
  engineFailed: '{engine} does not work: {why}',
  engineNoPermission:
    'You have no right to use {engine}. Give it to your user (for Docker: the group docker).',
  engineNotRunning: '{engine} is installed but does not run. Start it.',
  engineReady: '{engine} is ready.',
  image: 'IMAGE',
  isMissing: 'not made yet',
  isThere: 'ready',
  noEngine: 'Neither Docker nor podman is installed. Install one of them to run agents in containers.',
} as const;
