# Verifies DKIM signatures with Mail::DKIM, which shares nothing with the product and asks a real name server. Arguments: its
# address and port; on standard input: a base64 of a letter a line; on standard output: `pass` or why not, a line each.
use strict;
use warnings;
use MIME::Base64;
use Mail::DKIM::DNS;
use Mail::DKIM::Verifier;
use Net::DNS::Resolver;

my ($address, $port) = @ARGV;
$Mail::DKIM::DNS::RESOLVER = Net::DNS::Resolver->new(nameservers => [$address], port => $port, recurse => 1);
while (my $line = <STDIN>) {
    my $verifier = Mail::DKIM::Verifier->new();
    $verifier->PRINT(decode_base64($line));
    $verifier->CLOSE();
    print $verifier->result_detail(), "\n";
}
