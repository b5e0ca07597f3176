"""A mail server by aiosmtpd, with TLS and a password. It prints its port, then each mail as Python's own parser reads it."""
import asyncio, email, email.policy, json, ssl, sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

certificate, key = sys.argv[1:3]


class Inbox:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        body = mail.get_body(("plain",))
        print(json.dumps({
            "to": envelope.rcpt_tos,
            "from": envelope.mail_from,
            "headers": {name.lower(): str(value) for name, value in mail.items()},
            "defects": [str(one) for part in mail.walk() for one in part.defects],
            "text": body.get_content() if body else None,
        }), flush=True)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (b"user", b"p@ss/word")
    return AuthResult(success=good, handled=False)


def factory():
    return SMTP(Inbox(), authenticator=authenticate, auth_required=True, auth_require_tls=False, hostname="mail.example")


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    server = await asyncio.get_running_loop().create_server(factory, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
