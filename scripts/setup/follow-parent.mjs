// Loaded into a child before its own file: when the process that started it is gone, however it went, the child
// asks itself to stop, in the same way as an operator would. The channel by itself keeps nothing alive.
if (process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
