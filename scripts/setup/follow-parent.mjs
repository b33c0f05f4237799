// Loaded into a child before its own file: when the process that started it is gone, however it went, the child
// asks itself to stop, in the same way as an operator would. The channel on its own keeps nothing alive.
const LIMIT_MS = 30_000;

if (process.channel) {
  process.on('disconnect', () => {
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), LIMIT_MS).unref(); // no one is left who could end one that hangs
  });
  process.channel.unref();
}
