import { createServer, type AddressInfo, type Server } from 'node:net';

/** A port that nothing may reach. It counts connections, not requests. */
export class Canary {
  connections = 0;
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.connections++;
      socket.on('error', () => {});
      socket.destroy();
    });
  }
  static async start(): Promise<Canary> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new Canary(server);
  }
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop() {
    await new Promise((done) => this.#server.close(done));
  }
}
