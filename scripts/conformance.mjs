// Runs a file of conformance cases against the product's own functions; see test/conformance/run.ts.
import { main } from '../test/conformance/run.ts';

try {
  process.exitCode = await main(process.argv.slice(2), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
