# Checks Receiver.verify against the test vectors: ruby vectors.rb FILE, the vectors/webhooks.json of @formwire/contract.
require_relative "receiver"

# As Rack passes them: values of a repeated header joined by a comma.
def rack(headers)
  headers.to_h { |name, value| ["HTTP_#{name.upcase.tr("-", "_")}", Array(value).join(", ")] }
end

def result(vector)
  body = vector["body_base64"].unpack1("m")
  event = Receiver.verify(vector["secrets"], rack(vector["headers"]), body, vector["now"], vector["tolerance_seconds"])
  { "ok" => true, "type" => event["event"] }
rescue Receiver::Refused => refused
  { "ok" => false, "code" => refused.message }
end

vectors = JSON.parse(File.read(ARGV[0], encoding: "UTF-8"))["vectors"]
wrong = vectors.reject { |vector| result(vector) == vector["expect"] }
wrong.each { |vector| puts "#{vector["name"]}: expected #{vector["expect"]}, got #{result(vector)}" }
puts "#{vectors.size} vectors pass" if wrong.empty?
exit(wrong.empty?)
